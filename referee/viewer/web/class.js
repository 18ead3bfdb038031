// The class, for staff: a row a student that leads to the report, sorted by any column and narrowed by words.

import { el, name } from "./dom.js";
import { points, share, shareBar } from "./points.js";
import { counted } from "./words.js";

const MANY = 1000; // rows that are drawn at once; others are found by searching

const COLUMNS = [
  { title: "Student", key: (row) => row.student, cell: student },
  { title: "Section", key: (row) => row.section, cell: (row) => text(row.section) },
  { title: "Points", key: (row) => row.earned, falls: true, cell: earned },
  { title: "Checks", key: (row) => share(row.passed, row.checks), falls: true, cell: (row) => `${row.passed} of ${row.checks}` },
  { title: "Kicked for", key: (row) => row.verdicts.join(" "), falls: true, cell: kicks },
  { title: "Handed in", key: (row) => row.submitted, cell: handed },
  { title: "Notes", key: (row) => (row.fault ? 2 : 0) + (row.late ? 1 : 0), falls: true, cell: notes },
];

function text(words) {
  return words ? el("bdi", {}, words) : null;
}

function soft(words) {
  return words ? el("span", { class: "soft" }, text(words)) : null;
}

function student(row) {
  const link = el("a", { href: row.link }, name(row.student));
  return el("span", { class: "who" }, link, soft(row.login));
}

function earned(row) {
  return el("span", { class: "earned" }, el("span", {}, `${points(row.earned)} / ${points(row.total)}`), shareBar(row.earned, row.total));
}

function kicks(row) {
  const chips = row.verdicts.map((verdict) => el("span", { class: "verdict" }, verdict));
  return chips.length ? el("span", { class: "chips" }, ...chips) : null;
}

function handed(row) {
  if (!row.submitted && !row.file) return el("span", { class: "soft" }, "nothing");
  const time = row.submitted ? el("span", { class: "time" }, row.submitted) : null;
  return el("span", { class: "who" }, time, soft(row.file));
}

function notes(row) {
  if (!row.fault && !row.late) return null;
  const fault = row.fault ? el("span", { class: "fault" }, "Our fault: ", text(row.fault)) : null;
  return el("span", { class: "who" }, fault, soft(row.late));
}

function compared(one, other) {
  return typeof one === "number" ? one - other : one.localeCompare(other, "en", { numeric: true });
}

function facts(rows) {
  const shares = rows.map((row) => share(row.earned, row.total)).sort((one, other) => one - other);
  const middle = shares.length / 2 - 0.5;
  const median = (shares[Math.floor(middle)] + shares[Math.ceil(middle)]) / 2;
  const told = [
    [counted(rows.length, "student"), ""],
    [`${Math.round(100 * median)} %`, "median of the points"],
    [String(rows.filter((row) => row.checks > 0 && row.passed === row.checks).length), "pass every check"],
    [String(rows.filter((row) => row.verdicts.length > 0).length), "were kicked"],
    [String(rows.filter((row) => row.fault).length), "with a fault of ours"],
  ];
  return el(
    "ul",
    { class: "figures" },
    ...told.map(([figure, words]) => el("li", {}, el("strong", {}, figure), words ? ` ${words}` : "")),
  );
}

function table(rows) {
  const sorted = { column: COLUMNS[0], falling: false };
  const body = el("tbody");
  const count = el("p", { class: "soft", role: "status" });
  const search = el("input", { type: "search", placeholder: "Name, section, verdict …", "aria-label": "Find students", oninput: show });
  const heads = COLUMNS.map((column) => {
    const head = el("th", { scope: "col" }, el("button", { type: "button", onclick: () => by(column) }, column.title));
    return { column, head };
  });

  function by(column) {
    sorted.falling = sorted.column === column ? !sorted.falling : Boolean(column.falls);
    sorted.column = column;
    show();
  }

  function show() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const all = (row) => [row.student, row.login, row.section, row.file, ...row.verdicts, row.late, row.fault].join(" ").toLowerCase();
    const found = rows.filter((row) => words.every((word) => all(row).includes(word)));
    found.sort((one, other) => (sorted.falling ? -1 : 1) * compared(sorted.column.key(one), sorted.column.key(other)));
    for (const { column, head } of heads) {
      head.setAttribute("aria-sort", column !== sorted.column ? "none" : sorted.falling ? "descending" : "ascending");
    }
    const cells = (row) => COLUMNS.map((column) => el("td", { "data-title": column.title }, column.cell(row)));
    body.replaceChildren(...found.slice(0, MANY).map((row) => el("tr", {}, ...cells(row))));
    const drawn = found.length > MANY ? `; the first ${counted(MANY, "row")} are drawn` : "";
    count.textContent = words.length || drawn ? `${counted(found.length, "student")} found${drawn}` : "";
  }

  show();
  const tools = el("div", { class: "tools" }, search, count);
  const heading = el("thead", {}, el("tr", {}, ...heads.map(({ head }) => head)));
  return el("section", { class: "panel" }, tools, el("div", { class: "wide" }, el("table", {}, heading, body)));
}

export function classTable(data) {
  const title = el("div", {}, el("h1", {}, name(data.course)), el("p", { class: "subtitle" }, "Grades of the class, for staff"));
  const empty = el("section", { class: "panel" }, el("p", { class: "none" }, "Nobody is graded yet."));
  return [
    el("header", { class: "top" }, title, data.rows.length ? facts(data.rows) : null),
    el("main", {}, data.rows.length ? table(data.rows) : empty),
  ];
}
