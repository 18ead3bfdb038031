// The report of one submission: its points, and for each check what came of it and what its author can act on.

import { Board } from "./board.js";
import { download, unpack } from "./data.js";
import { button, copyButton, el, name, panel } from "./dom.js";
import { points, share, shareBar } from "./points.js";
import { counted } from "./words.js";

function header(data) {
  const facts = [data.course, data.game, data.file, data.submitted && `handed in ${data.submitted}`].filter(Boolean);
  return el(
    "header",
    { class: "top" },
    el(
      "div",
      {},
      el("h1", {}, name(data.student)),
      el("p", { class: "subtitle" }, ...facts.flatMap((fact, number) => [number ? " · " : "", el("bdi", {}, fact)])),
    ),
    data.sha256 ? copyButton("Copy the SHA-256 of the file", data.sha256, `SHA-256 ${data.sha256.slice(0, 8)}`) : null,
  );
}

function summary(data) {
  const passed = data.checks.filter((check) => check.passed).length;
  const of = data.withheld ? "points in the checks that are shown" : "points";
  return el(
    "section",
    { class: "panel total" },
    el("h2", {}, "Result"),
    el(
      "p",
      { class: "sum" },
      el("strong", {}, points(data.earned)),
      el("span", {}, ` of ${points(data.total)} ${of}`),
    ),
    shareBar(data.earned, data.total),
    el("p", { class: "subtitle" }, `${passed} of ${counted(data.checks.length, "check")} passed`),
    ...data.remarks.map((remark) => el("p", { class: "remark" }, remark)),
  );
}

const STATES = { passed: "Passed", partly: "In part", failed: "Failed", unmade: "Not made" };

function stateOf(check) {
  if (check.fault) return "unmade";
  if (check.passed) return "passed";
  return share(check.earned, check.points) > 0 ? "partly" : "failed";
}

function checkPanel(check) {
  const state = stateOf(check);
  const fault = "This check could not be made, through no fault of the submission: ";
  // The sentence is the heading of its only note, or says something of its own.
  const own = check.notes.some((note) => note.sentence === check.sentence) ? null : check.sentence;
  return el(
    "article",
    { class: `panel check ${state}` },
    el(
      "div",
      { class: "head" },
      el("h3", {}, name(check.title)),
      el("span", { class: "state" }, STATES[state]),
      el("span", { class: "points" }, `${points(check.earned)} / ${points(check.points)}`),
    ),
    shareBar(check.earned, check.points),
    own ? el("p", { class: "sentence", dir: "auto" }, own) : null,
    check.fault ? el("p", { class: "remark", dir: "auto" }, fault + check.fault) : null,
    check.visibility === "visible" ? null : el("p", { class: "subtitle" }, SHOWN[check.visibility] || ""),
    ...check.notes.map((note, number) => noteBlock(note, number === 0)),
  );
}

const SHOWN = {
  "after-due": "Shown to the student after the due date.",
  "after-published": "Shown to the student when grades are published.",
  hidden: "Never shown to the student.",
};

function noteBlock(note, open) {
  const where = note.file && note.line ? `${note.file}:${note.line}` : note.file;
  const picture = note.picture ? el("figure", { class: "position" }) : null;
  const block = el(
    "details",
    { class: "failure", open },
    el(
      "summary",
      {},
      note.verdict ? el("span", { class: "verdict" }, note.verdict) : null,
      where ? el("code", {}, el("bdi", {}, where)) : null,
      note.times > 1 ? el("span", { class: "times" }, `${note.times} times`) : null,
      el("span", { class: "what", dir: "auto" }, note.sentence),
    ),
    el(
      "div",
      { class: "facts-of" },
      el(
        "div",
        {},
        titled("Where it failed", note.frames),
        titled("What it printed", note.output),
        again(note),
      ),
      picture === null && !note.position
        ? null
        : el("div", {}, el("h4", {}, "The position"), picture, asText(note.position, picture === null)),
    ),
  );
  // Drawn when it is first looked at: a report may have many.
  if (picture !== null) {
    block.addEventListener("toggle", async () => {
      if (block.open && picture.firstChild === null) draw(picture, await unpack(note.picture));
    });
  }
  return block;
}

function draw(figure, picture) {
  const board = new Board();
  // A replay tells beside the board who plays; here the picture is all there is, so nothing of it is left out.
  board.show(picture.replace(/ (class="legend"|data-board="[^"]*")/g, ""), 0);
  figure.replaceChildren(board.node);
}

function asText(position, open) {
  if (!position) return null;
  return el("details", { class: "text", open }, el("summary", {}, "As text"), el("pre", { tabindex: 0, class: "grid" }, position));
}

function titled(title, text) {
  return text ? el("div", {}, el("h4", {}, title), el("pre", { tabindex: 0, dir: "auto" }, text)) : null;
}

function again(note) {
  if (!note.command) return null;
  const save = note.record
    ? button("Download the questions it was asked", "save", () => download(note.record, note.record), note.record)
    : null;
  return el(
    "div",
    {},
    el("h4", {}, "To see it again"),
    el("pre", { tabindex: 0 }, note.command),
    el("div", { class: "facts" }, copyButton("Copy the command", note.command, "Copy the command"), save),
  );
}

export function report(data) {
  const checks = data.checks.map(checkPanel);
  const none = el("p", { class: "none" }, "There is no check to show.");
  return [
    header(data),
    el("main", { class: "report" }, summary(data), ...(checks.length ? checks : [panel("Checks", none)])),
  ];
}
