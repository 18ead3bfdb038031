// What is told beside the board of a replay: each panel is a node, and a way to show the step that the replay is at.

import { copyButton, el, name, panel, button } from "./dom.js";
import { Plot, rounds } from "./plot.js";
import { paint } from "./seats.js";
import { duration } from "./words.js";

const AROUND = 3; // moves that are listed before and after the present one

// Whom the reader follows: a seat, or nobody.
export function followed(data, player) {
  const listeners = [];
  const follow = {
    seat: null,
    listen: (listener) => listeners.push(listener),
    choose(seat) {
      follow.seat = follow.seat === seat ? null : seat;
      for (const listener of listeners) listener();
    },
    hop(by) {
      const mine = (step) => follow.seat === null || data.steps[step].seat === follow.seat;
      for (let step = player.step + by; step > 0 && step <= player.last; step += by) {
        if (mine(step)) return player.go(step, "step");
      }
    },
  };
  return follow;
}

function swatch(data, seat) {
  const made = el("span", { class: "swatch", "aria-hidden": "true" });
  made.style.setProperty("background-color", paint(seat, data.players[seat].color));
  return made;
}

// The last step up to the present one in which a seat was asked; 0 if it was not.
function lastOf(data, step, seat) {
  while (step > 0 && data.steps[step].seat !== seat) step -= 1;
  return step;
}

export function table(data, player, follow) {
  const leaves = data.players.map((_, seat) => data.steps.findIndex((step) => step.verdict && step.seat === seat));
  const falls = data.players.map((_, seat) => data.steps.findIndex((step) => step.out?.includes(seat)));
  const ranks = data.players.map((_, seat) => {
    const above = data.ranking.findIndex((rank) => rank.includes(seat));
    return above < 0 ? null : 1 + data.ranking.slice(0, above).reduce((sum, rank) => sum + rank.length, 0);
  });
  const rows = data.players.map((entry, seat) => {
    const score = el("span", { class: "score" });
    const state = el("span", { class: "state" });
    const row = el(
      "button",
      { type: "button", class: "seat", title: "Follow this player", onclick: () => follow.choose(seat) },
      swatch(data, seat),
      el("span", { class: "who" }, name(entry.name), state),
      score,
    );
    return { row, score, state, given: entry.given, color: entry.color };
  });
  const its = el(
    "div",
    { class: "its" },
    button("Its previous turn", "back", () => follow.hop(-1)),
    button("Its next turn", "next", () => follow.hop(1)),
    el("span", {}, "its turns (shift and arrows)"),
  );
  return {
    node: panel("Players", el("div", { class: "seats" }, ...rows.map(({ row }) => row)), its),
    show() {
      const { step, last } = player;
      its.hidden = follow.seat === null;
      rows.forEach(({ row, score, state, given, color }, seat) => {
        const kicked = leaves[seat] > 0 && step >= leaves[seat];
        const out = falls[seat] > 0 && step >= falls[seat];
        const place = step === last && data.complete && ranks[seat] !== null ? `place ${ranks[seat]}` : "";
        const words = [color, kicked ? "kicked" : out ? "out" : place || given].filter(Boolean);
        state.textContent = words.join(" · ");
        score.textContent = data.steps[step].scores[seat];
        row.classList.toggle("gone", kicked);
        row.classList.toggle("acting", data.steps[step].seat === seat);
        row.setAttribute("aria-pressed", follow.seat === seat);
      });
    },
  };
}

function emphasise(groups, seat) {
  groups.forEach((group, number) => group.classList.toggle("faint", seat !== null && seat !== number));
}

function overSteps(data, player, options) {
  const { last } = player;
  const turn = (step) => [step, String(data.steps[step].turn)];
  return new Plot({
    ...options,
    x: [0, Math.max(1, last)],
    xTicks: last > 1 ? [turn(0), turn(Math.round(last / 2)), turn(last)] : [turn(0)],
    onpick: (step) => player.go(Math.min(last, Math.round(step))),
  });
}

export function scores(data, player, follow) {
  const all = data.steps.flatMap((step) => step.scores);
  const [least, most] = [Math.min(0, ...extent(all)), Math.max(1, ...extent(all))];
  const ends = data.players.map((entry, seat) => `${entry.name} ${data.steps[player.last].scores[seat]}`);
  const plot = overSteps(data, player, {
    label: `Scores over time; at the end: ${ends.join(", ")}`,
    y: [least, most],
    ticks: rounds(most).map((value) => [value, String(value)]),
  });
  const groups = data.players.map(({ color }, seat) =>
    plot.stairs(turns(data.steps.map((step, number) => [number, step.scores[seat]])), paint(seat, color)),
  );
  return shown("Scores", plot, groups, player, follow);
}

export function costs(data, player, follow) {
  const used = data.steps.map((step) => step.cpu).filter((cpu) => cpu > 0);
  const least = 10 ** Math.floor(Math.log10(Math.max(1e-6, Math.min(...extent(used), data.limit / 10))));
  const most = Math.max(...extent(used), data.limit) * 1.5;
  const decades = [];
  for (let value = least; value <= most * 1.001; value *= 10) decades.push([value, duration(value)]);
  const plot = overSteps(data, player, {
    label: `CPU time of each move; the limit is ${duration(data.limit)}`,
    y: [least, most],
    log: true,
    height: 150,
    ticks: decades.length > 5 ? decades.filter((_, number) => number % 2 === 0) : decades,
  });
  plot.rule(data.limit, `limit ${duration(data.limit)}${data.bank ? ` + ${duration(data.bank)} in all` : ""}`);
  const groups = data.players.map(({ color }, seat) => {
    const mine = data.steps.map((step, number) => ({ ...step, number })).filter((step) => step.seat === seat);
    const group = plot.dots(mine.filter(({ cpu }) => cpu !== undefined).map(({ number, cpu }) => [number, cpu]), paint(seat, color));
    const kicks = mine.filter((step) => step.verdict);
    const height = ({ verdict }) => (verdict.ending === "cpu-timeout" ? data.limit : least);
    if (kicks.length > 0) group.append(plot.crosses(kicks.map((step) => [step.number, height(step)]), paint(seat, color)));
    return group;
  });
  return shown("CPU a move", plot, groups, player, follow);
}

function shown(title, plot, groups, player, follow) {
  return {
    node: panel(title, plot.node),
    show() {
      plot.cursor(player.step);
      emphasise(groups, follow.seat);
    },
  };
}

// A loop, since thousands of numbers are too many arguments for Math.max.
function extent(numbers) {
  if (numbers.length === 0) return [];
  return numbers.reduce(([least, most], value) => [Math.min(least, value), Math.max(most, value)], [numbers[0], numbers[0]]);
}

// Only the points where a line turns, and the last.
function turns(points) {
  return points.filter(([, y], index) => index === 0 || index === points.length - 1 || y !== points[index - 1][1]);
}

export function log(data, player, follow) {
  const list = el("ol", { class: "log" });
  return {
    node: panel("Moves", list),
    show() {
      const first = Math.max(1, Math.min(player.step - AROUND, player.last - 2 * AROUND));
      const rows = [];
      for (let step = first; step <= Math.min(player.last, first + 2 * AROUND); step += 1) {
        const { turn, seat, words, verdict } = data.steps[step];
        const row = el(
          "button",
          { type: "button", "aria-current": step === player.step ? "step" : null, onclick: () => player.go(step) },
          el("span", { class: "turn" }, turn),
          swatch(data, seat),
          el("span", {}, name(data.players[seat].name), ` ${words}`),
        );
        row.classList.toggle("kick", verdict !== undefined);
        row.classList.toggle("faint", follow.seat !== null && follow.seat !== seat);
        rows.push(el("li", {}, row));
      }
      list.replaceChildren(...rows);
    },
  };
}

export function outputs(data, player, follow) {
  const body = el("div", { class: "outputs" });
  const silent = !data.steps.some((step) => step.output);
  return {
    node: panel("Output", body),
    show() {
      if (silent) return body.replaceChildren(el("p", { class: "none" }, "Nobody printed anything."));
      const seats = data.players.map((_, seat) => seat).filter((seat) => follow.seat === null || follow.seat === seat);
      const blocks = seats.map((seat) => {
        const step = lastOf(data, player.step, seat);
        const { turn, output } = data.steps[step];
        const when = step === 0 ? "not asked yet" : `turn ${turn}${output ? "" : ": nothing"}`;
        const head = el("h3", {}, swatch(data, seat), name(data.players[seat].name), el("span", { class: "when" }, when));
        return el("div", {}, head, output ? el("pre", { tabindex: 0, dir: "auto" }, output) : null);
      });
      body.replaceChildren(...blocks);
    },
  };
}

export function verdicts(data, player) {
  const kicks = data.steps.map((step, number) => ({ ...step, number })).filter((step) => step.verdict);
  if (kicks.length === 0) return null;
  const blocks = kicks.map(({ number, seat, verdict }) => {
    const again = data.reproduce[seat];
    return el(
      "article",
      { class: "verdict" },
      el("h3", {}, swatch(data, seat), name(data.players[seat].name), el("span", { class: "ending" }, verdict.ending)),
      el("button", { type: "button", class: "link", onclick: () => player.go(number) }, verdict.where),
      el("pre", { tabindex: 0 }, verdict.why.join("\n")),
      again ? copyButton("Copy the command that asks this player the same again", again, "Reproduce command") : null,
    );
  });
  return { node: panel("Verdicts", ...blocks), show() {} };
}
