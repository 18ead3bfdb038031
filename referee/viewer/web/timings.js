// The page of a benchmark.

import { copyButton, el, name, panel } from "./dom.js";
import { unpackJson } from "./data.js";
import { Plot } from "./plot.js";
import { Scale, decades } from "./strips.js";
import { paint } from "./seats.js";
import { counted, duration } from "./words.js";

function header(data) {
  const asked = `${counted(data.positions, "position")}, each asked ${counted(data.repeat, "time")}`;
  const settings = data.settings.length > 0 ? ` · ${data.settings.join(", ")}` : "";
  return el(
    "header",
    { class: "top" },
    el(
      "div",
      {},
      el("h1", {}, `${data.game.charAt(0).toUpperCase()}${data.game.slice(1)} benchmark`),
      el("p", { class: "subtitle" }, `${counted(data.files.length, "file")}, ${asked}${settings}`),
      el("p", { class: "subtitle" }, data.machine),
    ),
    el("div", { class: "facts" }, copyButton("Copy the seed", data.seed, `Seed ${data.seed}`)),
  );
}

function swatch(seat) {
  const dot = el("span", { class: "swatch", "aria-hidden": "true" });
  dot.style.background = paint(seat, "");
  return dot;
}

function called(data, seat) {
  return el("th", { scope: "row" }, el("span", { class: "called" }, swatch(seat), name(data.files[seat].name)));
}

function table(heads, ...bodies) {
  return el("table", { class: "rows" }, el("thead", {}, el("tr", {}, ...heads)), ...bodies);
}

function head(words, kind) {
  return el("th", { scope: "col", class: kind }, words);
}

function axis(scale, words) {
  return el("th", { scope: "col", class: "drawn" }, el("span", { class: "unseen" }, words), scale.axis());
}

function seats(data) {
  return data.files.map((_, seat) => seat);
}

// Of each part of the game a row for every file, all on one scale.
function distributions(data) {
  const timed = seats(data).filter((seat) => data.files[seat].figures);
  if (timed.length === 0) return panel("CPU a move", el("p", { class: "none" }, "No file answered anything."));
  const ends = timed.flatMap((seat) => data.files[seat].rows[""].ends);
  const scale = decades([...ends, data.budget], duration);
  const bodies = ["", ...data.phases].map((phase) => {
    const rows = timed.filter((seat) => data.files[seat].rows[phase]).map((seat) => {
      const { quarters: [low, middle, high], ends: [least, most], dots } = data.files[seat].rows[phase];
      const label = `median ${duration(middle)}, half of them between ${duration(low)} and ${duration(high)}, all between ${duration(least)} and ${duration(most)}`;
      const color = paint(seat, "");
      const marks = [scale.rule(data.budget), scale.box(low, middle, high, color), scale.dots(dots, 3, color, "speck")];
      return el(
        "tr",
        {},
        called(data, seat),
        el("td", { class: "number" }, duration(middle)),
        el("td", { class: "number wide" }, duration(most)),
        el("td", { class: "drawn", title: label }, scale.strip(label, ...marks)),
      );
    });
    const words = phase === "" ? "All positions" : phase;
    const title = el("tr", { class: "part" }, el("th", { scope: "rowgroup", colspan: 4 }, words));
    return el("tbody", {}, title, ...rows);
  });
  const made = panel(
    "CPU a move",
    table([head("File", ""), head("Median", "number"), head("Most", "number wide"), axis(scale, "Distribution")], ...bodies),
    el("p", { class: "explained" }, `A dot a position (the middle of its repeats); boxes hold the middle half; dashed: the ${duration(data.budget)} allowed a move.`),
  );
  made.classList.add("spread");
  return made;
}

// Sentences, each with its ratio and where that lies with 95 %.
function ratios(list, marked) {
  const all = list.flatMap(({ ratio }) => ratio);
  const [least, most] = [Math.min(0.8, ...all), Math.max(1.25, ...all)];
  const marks = most / least > 30 ? [0.01, 0.1, 1, 10, 100, 1000, 10_000] : [0.1, 0.2, 0.5, 1, 2, 5, 10, 20];
  const ticks = marks.filter((value) => value >= least && value <= most);
  const scale = new Scale(least, most, { log: true, ticks: ticks.map((value) => [value, `${value}×`]) });
  const rows = list.map((entry) =>
    el(
      "tr",
      { class: marked(entry) },
      el("td", { class: "sentence", dir: "auto" }, entry.words),
      el("td", { class: "drawn" }, scale.strip(entry.words, scale.interval(...entry.ratio))),
    ),
  );
  return table([head("", ""), axis(scale, "Ratio")], el("tbody", {}, ...rows));
}

function comparisons(data) {
  if (data.comparisons.length === 0) return null;
  return panel("Which is faster", ratios(data.comparisons, ({ differs }) => (differs ? "differs" : "alike")));
}

function against(data) {
  const found = data.against;
  if (found === null) return null;
  const count = found.changes.filter(({ regression }) => regression).length;
  const sum = count > 0 ? counted(count, "regression") : "No regression";
  const words = [`${sum} beyond the noise, which here is ${Math.round(found.tolerance * 100)} %.`];
  if (!found.same_machine) {
    words.push(`It was measured on another machine or Python: times are scaled by a fixed loop, which takes ${found.calibration.toFixed(2)}× as long here.`);
  }
  words.push(...found.without.map((file) => `${file} is not in it.`));
  return panel(
    `Against ${found.file}`,
    el("p", { class: count > 0 ? "bad" : "" }, words.join(" ")),
    found.changes.length > 0 ? ratios(found.changes, ({ regression }) => (regression ? "worse" : "")) : null,
  );
}

function choices(data) {
  const points = data.files.flatMap((file) => file.points);
  if (points.length === 0) return null;
  const [widest, times] = [Math.max(2, ...points.map(([x]) => x)), points.map(([, y]) => y).filter((y) => y > 0)];
  const scale = decades(times, duration);
  const xTicks = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].filter((value) => value <= widest);
  const plot = new Plot({
    label: "CPU a move by the number of legal moves",
    x: [0, Math.log10(widest)],
    y: scale.ticks.length > 1 ? [scale.ticks[0][0], scale.ticks.at(-1)[0]] : [1e-6, 1],
    log: true,
    height: 210,
    ticks: scale.ticks,
    xTicks: xTicks.map((value) => [Math.log10(value), String(value)]),
  });
  data.files.forEach((file, seat) => plot.dots(file.points.map(([x, y]) => [Math.log10(x), y]), paint(seat, "")));
  const rows = seats(data).filter((seat) => data.files[seat].figures).map((seat) => {
    const cells = data.groups.map((group) => {
      const found = data.files[seat].groups[group];
      return el("td", { class: "number" }, found ? duration(found[1]) : "–");
    });
    return el("tr", {}, called(data, seat), ...cells);
  });
  const heads = data.groups.map((group) => head(group, "number"));
  return panel(
    "By number of legal moves",
    plot.node,
    el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Medians by number of legal moves" },
      table([head("Median at", ""), ...heads], el("tbody", {}, ...rows))),
  );
}

function measures(data, title, value, scale, shown, marks) {
  const rows = seats(data).filter((seat) => value(data.files[seat]) !== null).map((seat) => {
    const words = shown(data.files[seat]);
    return el(
      "tr",
      {},
      called(data, seat),
      el("td", { class: "number" }, words),
      el("td", { class: "drawn" }, scale.strip(words, marks(value(data.files[seat]), paint(seat, "")))),
    );
  });
  return rows.length > 0 ? panel(title, el("table", { class: "rows" }, el("tbody", {}, ...rows))) : null;
}

function memory(data) {
  const scale = new Scale(0, Math.max(1, ...data.files.map((file) => file.memory[0])));
  const bar = (value, color) => scale.bar(value, color);
  return measures(data, "Peak memory", (file) => file.memory[0], scale, (file) => file.memory[1], bar);
}

function loading(data) {
  const scale = new Scale(0, Math.max(1e-6, ...data.files.map((file) => (file.load ? file.load[2] : 0))));
  const marks = (load, color) => [scale.bar(load[1], color), scale.interval(...load, "var(--edge)").slice(0, 3)].flat();
  return measures(data, "CPU to load", (file) => file.load, scale, (file) => duration(file.load[1]), marks);
}

function troubles(data) {
  const blocks = data.files.flatMap((file, seat) => {
    const title = (words) => el("h3", {}, swatch(seat), name(file.name), el("span", { class: "trouble" }, words));
    const found = file.faults.map(({ verdict, words, frames, count, positions }) =>
      el(
        "article",
        {},
        title(`${verdict} ${count > 0 ? `at ${counted(count, "position")}` : "while it is loaded"}`),
        el("pre", { tabindex: 0 }, [words, ...frames].join("\n")),
        positions.length > 0 ? el("p", { class: "explained" }, positions.join("; "), count > positions.length ? "; …" : "") : null,
      ),
    );
    if (file.changes > 0) {
      const lines = file.changed.map(({ position, answers }) => `${position}: ${answers.join(" or ")}`);
      const words = `answers changed between repeats at ${counted(file.changes, "position")}`;
      found.push(el("article", {}, title(words), el("pre", { tabindex: 0 }, lines.join("\n"))));
    }
    if (file.given_up) found.push(el("p", { class: "explained" }, name(file.name), ` was not asked to the end: ${file.given_up}.`));
    return found;
  });
  return blocks.length > 0 ? panel("What went wrong", ...blocks) : null;
}

async function open() {
  const data = await unpackJson("data");
  const column = (...panels) => el("div", { class: "stack" }, ...panels);
  const two = el("div", { class: "two" }, column(comparisons(data), choices(data)), column(troubles(data), memory(data), loading(data)));
  const changes = against(data);
  const worse = changes !== null && changes.querySelector(".worse") !== null;
  const panels = worse ? [changes, distributions(data), two] : [distributions(data), two, changes];
  document.body.append(header(data), el("main", { class: "stack" }, ...panels.filter(Boolean)));
  performance.mark("drawn");
}

open();
