// The page of a tournament.

import { copyButton, el, name, panel } from "./dom.js";
import { unpackJson } from "./data.js";
import { Scale, decades } from "./strips.js";
import { crossTable, points } from "./crosstable.js";
import { matchList } from "./matchlist.js";
import { counted, duration } from "./words.js";

function header(data) {
  const title = `${data.game.charAt(0).toUpperCase()}${data.game.slice(1)} ${data.format}`;
  const facts = [counted(data.players.length, "player"), `${data.seats} at a table`];
  if (!data.finished) facts.push("not over yet");
  return el(
    "header",
    { class: "top" },
    el(
      "div",
      {},
      el("h1", {}, title),
      ...data.notes.map((note) => el("p", { class: "subtitle", dir: "auto" }, note)),
      el("p", { class: "subtitle" }, facts.join(" · ")),
    ),
    el("div", { class: "facts" }, copyButton("Copy the seed", data.seed, `Seed ${data.seed}`)),
  );
}

function signed(number) {
  const whole = Math.round(number);
  return `${whole < 0 ? "−" : whole > 0 ? "+" : ""}${Math.abs(whole)}`;
}

function ratings(data) {
  const all = data.players.flatMap(({ rating }) => rating);
  const [least, most] = [Math.min(...all), Math.max(...all)];
  const step = [50, 100, 200, 500, 1000, 2000, 5000].find((size) => (most - least) / size <= 6) || 10_000;
  const ticks = [];
  for (let value = Math.ceil(least / step) * step; value <= most; value += step) {
    ticks.push([value, signed(value)]);
  }
  return new Scale(least, most, { ticks });
}

function standings(data, chosen) {
  const scale = ratings(data);
  const heads = [
    ["#", "number"], ["Player", ""], ["Points", "number"], ["Won", "number wide"], ["Drawn", "number wide"],
    ["Lost", "number wide"], ["Kicks", "number wide"], ["Rating", "number"],
  ].map(([words, kind]) => el("th", { scope: "col", class: kind }, words));
  const rows = data.players.map((player, place) => {
    const [low, value, high] = player.rating;
    const kicks = Object.values(player.kicks).reduce((sum, count) => sum + count, 0);
    const words = `95 % between ${signed(low)} and ${signed(high)}`;
    const pick = () => chosen({ player: String(place) });
    return el(
      "tr",
      {},
      el("td", { class: "number none" }, place + 1),
      el("th", { scope: "row" }, el("button", { type: "button", class: "link", title: "Its matches", onclick: pick }, name(player.name))),
      el("td", { class: "number strong" }, points(player.points)),
      el("td", { class: "number wide" }, player.wins),
      el("td", { class: "number wide" }, player.draws),
      el("td", { class: "number wide" }, player.losses),
      el("td", { class: `number wide ${kicks > 0 ? "bad" : "none"}` }, kicks || "–"),
      el("td", { class: "number" }, signed(value)),
      el("td", { class: "drawn", title: words }, scale.strip(`Rating ${signed(value)}, ${words}`, scale.interval(low, value, high))),
    );
  });
  const axis = el("th", { scope: "col", class: "drawn" }, el("span", { class: "unseen" }, "95 % interval"), scale.axis());
  return panel(
    "Standings",
    el("table", { class: "rows" }, el("thead", {}, el("tr", {}, ...heads, axis)), el("tbody", {}, ...rows)),
    el("p", { class: "explained" }, "Ratings are on the Elo scale, the field's mean being 0; the lines hold the true one with 95 %."),
  );
}

function costs(data) {
  const spent = data.players.filter(({ cpu }) => cpu !== null);
  if (spent.length === 0) return null;
  const scale = decades([...spent.flatMap(({ cpu }) => cpu), data.limit], duration);
  const rows = [...spent].sort((a, b) => b.cpu[1] - a.cpu[1]).map(({ name: called, cpu: [low, mean, high], total }) => {
    const label = `${duration(mean)} a move; between ${duration(low)} and ${duration(high)} from match to match`;
    return el(
      "tr",
      {},
      el("th", { scope: "row" }, name(called)),
      el("td", { class: "number" }, duration(mean)),
      el("td", { class: "drawn", title: label }, scale.strip(label, scale.rule(data.limit), scale.interval(low, mean, high))),
      el("td", { class: "number wide" }, duration(total)),
    );
  });
  const heads = [["Player", ""], ["A move", "number"]].map(([words, kind]) => el("th", { scope: "col", class: kind }, words));
  const axis = el("th", { scope: "col", class: "drawn" }, el("span", { class: "unseen" }, "From match to match"), scale.axis());
  const all = el("th", { scope: "col", class: "number wide" }, "In all");
  return panel(
    "CPU time",
    el(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": "CPU time" },
      el("table", { class: "rows" }, el("thead", {}, el("tr", {}, ...heads, axis, all)), el("tbody", {}, ...rows)),
    ),
    el("p", { class: "explained" }, `The mean, and the least and the most in a match; dashed: the ${duration(data.limit)} allowed a move.`),
  );
}

function kicks(data, chosen) {
  const byVerdict = new Map();
  data.players.forEach((player, place) => {
    for (const [verdict, count] of Object.entries(player.kicks)) {
      byVerdict.set(verdict, [...(byVerdict.get(verdict) || []), [place, count]]);
    }
  });
  if (byVerdict.size === 0) return panel("Kicks", el("p", { class: "none" }, "Nobody was kicked."));
  const sum = (who) => who.reduce((all, [, count]) => all + count, 0);
  const sorted = [...byVerdict].sort(([, a], [, b]) => sum(b) - sum(a));
  const scale = new Scale(0, sum(sorted[0][1]));
  const rows = sorted.map(([verdict, who]) => {
    const worst = [...who].sort(([, a], [, b]) => b - a);
    const names = worst.slice(0, 6).map(([place, count]) =>
      el("button", { type: "button", class: "link", title: "These matches", onclick: () => chosen({ player: String(place), verdict }) },
        name(data.players[place].name), ` ${count}`),
    );
    if (worst.length > 6) names.push(`and ${worst.length - 6} more`);
    return el(
      "tr",
      {},
      el("th", { scope: "row" },
        el("button", { type: "button", class: "link ending", title: "These matches", onclick: () => chosen({ verdict }) }, verdict)),
      el("td", { class: "number strong" }, sum(who)),
      el("td", { class: "drawn bars" }, scale.strip(`${verdict}: ${sum(who)}`, scale.bar(sum(who)))),
      el("td", { class: "who" }, ...names),
    );
  });
  return panel("Kicks by verdict", el("table", { class: "rows kicks" }, el("tbody", {}, ...rows)));
}

async function open() {
  const data = await unpackJson("data");
  const list = matchList(data);
  const chosen = (changes) => list.choose(changes);
  const beside = [crossTable(data, chosen), el("div", { class: "stack" }, kicks(data, chosen), costs(data))];
  document.body.append(
    header(data),
    el("main", { class: "stack" }, standings(data, chosen), el("div", { class: "two" }, ...beside), list.node),
  );
  performance.mark("drawn");
}

open();
