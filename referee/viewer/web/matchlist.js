// Every match of a tournament, a page of them at a time, by player and by how they ended; each leads to its replay.

import { copyButton, el, name, panel } from "./dom.js";

const A_PAGE = 50;
const KICKED = "any kick";
const VOID = "void";

export function matchList(data) {
  const state = { player: "", other: "", verdict: "", page: 0, ...addressed() };
  const body = el("tbody", {});
  const told = el("p", { class: "told", role: "status", "aria-live": "polite" });
  const players = data.players.map((player, place) => [String(place), player.name]);
  const selects = {
    player: select("Player", [["", "anybody"], ...players]),
    other: select("Against", [["", "anybody"], ...players]),
    verdict: select("Ending", endings(data)),
  };
  const turns = {
    first: el("button", { type: "button", onclick: () => go(0) }, "First"),
    back: el("button", { type: "button", onclick: () => go(state.page - 1) }, "Previous"),
    next: el("button", { type: "button", onclick: () => go(state.page + 1) }, "Next"),
    last: el("button", { type: "button", onclick: () => go(Infinity) }, "Last"),
  };

  function select(label, options) {
    const made = el("select", {}, ...options.map(([value, words]) => el("option", { value }, words)));
    return { made, node: el("label", {}, el("span", {}, label), made) };
  }

  function go(page) {
    state.page = page;
    show();
  }

  function choose(changes) {
    Object.assign(state, { page: 0 }, changes);
    show();
  }

  function show() {
    const found = data.matches.filter((match) => fits(match, state));
    const last = Math.max(0, Math.ceil(found.length / A_PAGE) - 1);
    state.page = Math.min(last, Math.max(0, Number(state.page) || 0));
    const first = state.page * A_PAGE;
    const rows = found.slice(first, first + A_PAGE);
    body.replaceChildren(...rows.map((match) => row(data, match)));
    told.textContent =
      found.length === 0
        ? "No match is like that."
        : `${first + 1}–${first + rows.length} of ${found.length.toLocaleString("en")}`;
    turns.first.disabled = turns.back.disabled = state.page === 0;
    turns.next.disabled = turns.last.disabled = state.page === last;
    for (const [key, { made }] of Object.entries(selects)) {
      made.value = state[key];
      if (made.value !== state[key]) made.value = state[key] = "";
    }
    const kept = Object.entries(state).filter(([, value]) => value !== "" && value !== 0);
    history.replaceState(null, "", kept.length > 0 ? `#${new URLSearchParams(kept)}` : location.pathname);
  }

  for (const [key, { made }] of Object.entries(selects)) {
    made.addEventListener("change", () => choose({ [key]: made.value }));
  }
  const heads = [["Match", "number"], ["Result", ""], ["Turns", "number"], ["Kicked", ""]].map(([words, kind]) =>
    el("th", { scope: "col", class: kind }, words),
  );
  const filters = Object.values(selects).map(({ node }) => node);
  const everything = el("button", { type: "button", onclick: () => choose({ player: "", other: "", verdict: "" }) }, "All");
  const node = panel(
    "Matches",
    el("div", { class: "filters" }, ...filters, everything),
    el("table", { class: "rows matches" }, el("thead", {}, el("tr", {}, ...heads)), body),
    el("div", { class: "pager" }, ...Object.values(turns), told),
  );
  node.id = "matches";
  show();
  return {
    node,
    choose(changes) {
      choose({ player: "", other: "", verdict: "", ...changes });
      node.scrollIntoView({ block: "start" });
      selects.player.made.focus({ preventScroll: true });
    },
  };
}

// What was chosen before, so that who comes back from a replay finds it again.
function addressed() {
  const found = new URLSearchParams(location.hash.slice(1));
  return Object.fromEntries([...found].filter(([key]) => ["player", "other", "verdict", "page"].includes(key)));
}

function endings(data) {
  const counts = new Map();
  const count = (verdict) => counts.set(verdict, (counts.get(verdict) || 0) + 1);
  for (const match of data.matches) {
    if (match.void !== undefined) count(VOID);
    if (match.kicks) count(KICKED);
    for (const verdict of new Set((match.kicks || []).map(([, verdict]) => verdict))) count(verdict);
  }
  return [["", "any"], ...[...counts].map(([verdict, number]) => [verdict, `${verdict} (${number})`])];
}

// With a player chosen, a kick is one of that player's.
function fits(match, { player, other, verdict }) {
  if (player !== "" && !match.seats.includes(Number(player))) return false;
  if (other !== "" && !match.seats.includes(Number(other))) return false;
  if (verdict === "") return true;
  if (verdict === VOID) return match.void !== undefined;
  const kicks = (match.kicks || []).filter(([seat]) => player === "" || seat === Number(player));
  return kicks.some(([, ending]) => verdict === KICKED || verdict === ending);
}

function row(data, match) {
  const { n, seats, ranks = [], scores = [], kicks = [], turns } = match;
  const who = (place) => name(data.players[place].name);
  const results =
    match.void !== undefined
      ? [el("span", { class: "none" }, "void: ", match.void)]
      : ranks.flatMap((rank, number) =>
          rank.map((place) => {
            const before = ranks.slice(0, number).reduce((sum, tied) => sum + tied.length, 0);
            const score = scores[seats.indexOf(place)];
            return el("span", { class: "ranked" }, el("span", { class: "place" }, before + 1), who(place), ` ${score}`);
          }),
        );
  const out = kicks.map(([place, verdict, turn]) =>
    el("span", { class: "kicked" }, who(place), " ", el("span", { class: "ending" }, verdict), turn ? ` turn ${turn}` : ""),
  );
  const file = `matches/${String(n).padStart(6, "0")}.html`;
  const link = match.page
    ? el("a", { href: file, title: `Replay of match ${n}` }, `${n} ▸`)
    : el("span", {}, n, match.void === undefined ? copyButton("Copy the command that shows this match", `referee replay ${data.journal}:${n}`, "") : null);
  return el(
    "tr",
    {},
    el("td", { class: "number" }, link),
    el("td", {}, ...(results.length > 0 ? results : [el("span", { class: "none" }, "nobody left")])),
    el("td", { class: "number" }, turns === undefined ? "" : turns),
    el("td", {}, ...out),
  );
}
