// Who took how many points from whom: a row's points against each column.

import { el, name, panel } from "./dom.js";
import { counted } from "./words.js";

const MOST = 40; // players that are shown before somebody asks for more

export function crossTable(data, chosen) {
  const met = new Map(data.cross.map(([row, column, taken, games]) => [`${row},${column}`, { taken, games }]));
  const numbers = new Set(data.cross.map(([, , , games]) => games));
  const alike = numbers.size === 1 ? [...numbers][0] : null;
  const table = el("table", { class: "cross" });
  const more = el("button", { type: "button" }, `Show all ${data.players.length} players`);

  function cell(row, column) {
    const found = met.get(`${row},${column}`);
    if (row === column) return el("td", { class: "self" });
    if (!found) return el("td", { class: "never" }, "·");
    const { taken, games } = found;
    const title = `${data.players[row].name} against ${data.players[column].name}: ${points(taken)} of ${games}`;
    const share = Math.round((taken / games) * 4);
    const words = alike === null ? `${points(taken)}/${games}` : points(taken);
    return el("td", { class: `share-${share}`, title, "data-row": row, "data-column": column }, words);
  }

  function draw(count) {
    const columns = data.players.slice(0, count).map((_, column) => column);
    const heads = columns.map((column) => el("th", { scope: "col", title: data.players[column].name }, column + 1));
    const rows = columns.map((row) =>
      el(
        "tr",
        {},
        el("th", { scope: "row" }, el("span", { class: "place" }, row + 1), name(data.players[row].name)),
        ...columns.map((column) => cell(row, column)),
      ),
    );
    table.replaceChildren(
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, el("span", { class: "unseen" }, "Player")), ...heads)),
      el("tbody", {}, ...rows),
    );
    more.hidden = count >= data.players.length;
  }

  table.addEventListener("click", (event) => {
    const { row, column } = event.target.dataset;
    if (row !== undefined) chosen({ player: row, other: column });
  });
  more.addEventListener("click", () => draw(data.players.length));
  draw(MOST);
  const games = alike === null ? "with the number of games" : `of ${counted(alike, "game")} each`;
  const words = `Points of the row against the column, ${games}. Click a cell for the matches of the two.`;
  return panel(
    "Cross table",
    el("p", { class: "explained" }, words),
    el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Cross table" }, table),
    more,
  );
}

export function points(number) {
  return String(Math.round(number * 100) / 100);
}
