// The page of one game: the board in the middle, and around it who plays, what was done, used, printed and caused.

import { Board } from "./board.js";
import { download, has, unpackJson } from "./data.js";
import { button, copyButton, el, name } from "./dom.js";
import { Film } from "./film.js";
import { Player } from "./player.js";
import { costs, followed, log, outputs, scores, table, verdicts } from "./panels.js";
import { keys, transport } from "./transport.js";
import { counted, duration, several } from "./words.js";

const LONGEST_MOTION = 450; // milliseconds

function spoken(data, step) {
  const { turn, seat, words } = data.steps[step];
  if (step === 0) return `The start: ${several(data.players.map((player) => player.name))}`;
  return `Turn ${turn}: ${data.players[seat].name} ${words}`;
}

function ending(data) {
  if (!data.complete) return "The record breaks off here: the game did not come to its end.";
  const winners = (data.ranking[0] || []).map((seat) => data.players[seat].name);
  if (winners.length === 0) return "The game is over, and nobody wins.";
  return `The game is over: ${several(winners)} ${winners.length === 1 ? "wins" : "share the first place"}.`;
}

function marksOf(data) {
  const marks = [];
  data.steps.forEach((step, number) => {
    const when = `turn ${step.turn}`;
    if (step.verdict) {
      const who = data.players[step.seat].name;
      marks.push({ step: number, kind: "kick", words: `${who} is kicked, ${when}: ${step.verdict.ending}` });
    }
    for (const seat of step.out || []) {
      marks.push({ step: number, kind: "out", words: `${data.players[seat].name} is out, ${when}` });
    }
  });
  return marks;
}

function header(data) {
  const last = data.steps[data.steps.length - 1];
  const facts = el(
    "div",
    { class: "facts" },
    copyButton("Copy the seed", data.seed, `Seed ${data.seed}`),
    data.again ? copyButton("Copy the command that plays this game again", data.again, "Play command") : null,
    has("record") ? button("Download the record", "save", () => download("record", data.file), "Record") : null,
  );
  return el(
    "header",
    { class: "top" },
    el(
      "div",
      {},
      el("h1", {}, data.game[0].toUpperCase() + data.game.slice(1)),
      el("p", { class: "subtitle" }, `${counted(last.turn, "turn")}. ${ending(data)}`),
    ),
    facts,
  );
}

// The link to a turn: t=17, or t=17.1 for what else happened in it.
function address(data, step) {
  if (step === 0) return "#t=0";
  const { turn } = data.steps[step];
  const first = turn === 0 ? 0 : data.steps.findIndex((other, number) => number > 0 && other.turn === turn);
  return step === first ? `#t=${turn}` : `#t=${turn}.${step - first}`;
}

function addressed(data) {
  const found = /^#t=(\d+)(?:\.(\d+))?$/.exec(location.hash);
  if (found === null) return null;
  const turn = Number(found[1]);
  const first = turn === 0 ? 0 : data.steps.findIndex((step, number) => number > 0 && step.turn >= turn);
  return first < 0 ? data.steps.length - 1 : first + Number(found[2] || 0);
}

function caption() {
  const where = el("span", { class: "where" });
  const what = el("p", { class: "what" });
  const end = el("p", { class: "end" });
  const node = el("div", { class: "caption" }, where, el("div", {}, what, end));
  return {
    node,
    show(data, step) {
      const { turn, seat, words, cpu } = data.steps[step];
      where.textContent = `${turn} / ${data.steps[data.steps.length - 1].turn}`;
      if (step === 0) {
        what.replaceChildren("The table is set.");
      } else {
        const cost = cpu === undefined ? null : el("span", { class: "cost" }, `${duration(cpu)} of CPU`);
        what.replaceChildren(name(data.players[seat].name), " ", el("span", {}, words, ". "), cost || "");
      }
      end.textContent = step === data.steps.length - 1 ? ending(data) : "";
      end.hidden = end.textContent === "";
    },
  };
}

async function open() {
  const data = await unpackJson("data");
  const film = new Film(data.film);
  const player = new Player(data.steps.length);
  const board = new Board();
  const told = caption();
  const live = el("p", { class: "unseen", role: "status", "aria-live": "polite" });
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const follow = followed(data, player);
  const made = (...makers) => makers.map((make) => make(data, player, follow)).filter(Boolean);
  const [below, beside] = [made(log, outputs), made(table, scores, costs, verdicts)];
  const panels = [...below, ...beside];

  const stage = el(
    "section",
    { class: "stage", "aria-label": "Board" },
    board.node,
    told.node,
    transport(player, marksOf(data), (step) => spoken(data, step)),
    el("p", { class: "hint" }, "Space plays, arrows step, Home and End, + and − for the speed."),
  );
  const nodes = (list) => list.map((panel) => panel.node);
  const middle = el("div", { class: "middle" }, stage, el("div", { class: "below" }, ...nodes(below)));
  const side = el("div", { class: "side" }, ...nodes(beside));
  document.body.append(header(data), el("main", { class: "replay" }, middle, side), live);

  const show = (from) => {
    const near = Math.abs(player.step - from) === 1 && !calm.matches && !document.hidden;
    board.show(film.text(player.step), near ? Math.min(LONGEST_MOTION, player.interval * 0.6) : 0);
    told.show(data, player.step);
    for (const panel of panels) panel.show();
  };
  player.listen((_, from, how) => {
    if (how !== "state") show(from);
    // Nobody could listen to more than one a second, and browsers refuse addresses that change faster.
    if (player.playing && player.speed > 1) return;
    const end = player.step === player.last ? ` ${ending(data)}` : "";
    const words = `${spoken(data, player.step)}.${end}`;
    if (live.textContent !== words) live.textContent = words;
    history.replaceState(null, "", address(data, player.step));
  });
  follow.listen(() => panels.forEach((panel) => panel.show()));
  addEventListener("hashchange", () => player.go(addressed(data) ?? player.step));
  keys(player, follow.hop);

  player.step = Math.min(player.last, addressed(data) ?? 0);
  player.tell(player.step, "jump");
  performance.mark("drawn");
}

open();
