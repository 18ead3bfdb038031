// Small drawings, one a row, on a scale that all rows share: bars, dots, boxes, and values with their intervals.

import { svg } from "./dom.js";

const HEIGHT = 24;
const MIDDLE = HEIGHT / 2;
const MARGIN = 2; // per cent on either side, so that what is drawn at an end is seen whole

export class Scale {
  // `ticks` are [value, words]; a logarithmic one needs a least above 0.
  constructor(least, most, { log = false, ticks = [] } = {}) {
    this.log = log;
    this.ends = [least, most].map((value) => this.measured(value));
    this.ticks = ticks;
  }

  measured(value) {
    return this.log ? Math.log10(Math.max(value, 1e-12)) : value;
  }

  part(value) {
    const [least, most] = this.ends;
    return Math.min(1, Math.max(0, (this.measured(value) - least) / (most - least || 1)));
  }

  at(value) {
    return `${percent(this.part(value))}%`;
  }

  // A row; what is drawn is also told in `label`.
  strip(label, ...marks) {
    const grid = this.ticks.map(([value]) => line(this.at(value), 0, this.at(value), HEIGHT, "grid"));
    return svg("svg", { class: "strip", height: HEIGHT, role: "img", "aria-label": label }, ...grid, ...marks.flat());
  }

  axis() {
    const words = this.ticks.map(([value, text], number) =>
      svg("text", { class: number % 2 ? "tick second" : "tick", x: this.at(value), y: 14, "text-anchor": "middle" }, text),
    );
    return svg("svg", { class: "strip axis", height: 18, "aria-hidden": "true" }, ...words);
  }

  interval(low, value, high, color) {
    const ends = [low, high].map((end) => line(this.at(end), MIDDLE - 4, this.at(end), MIDDLE + 4, "whisker", color));
    return [line(this.at(low), MIDDLE, this.at(high), MIDDLE, "whisker", color), ...ends, ...this.dots([value], 5, color)];
  }

  dots(values, radius, color, kind = "dot") {
    return values.map((value) => svg("circle", { class: kind, cx: this.at(value), cy: MIDDLE, r: radius, fill: color }));
  }

  box(low, middle, high, color) {
    const [from, to] = [low, high].map((value) => percent(this.part(value)));
    const width = `${Math.max(0.4, to - from)}%`;
    return [
      svg("rect", { class: "box", x: `${from}%`, y: MIDDLE - 8, width, height: 16, rx: 2, fill: color }),
      line(this.at(middle), MIDDLE - 8, this.at(middle), MIDDLE + 8, "median"),
    ];
  }

  bar(value, color) {
    const width = `${Math.max(0.4, percent(this.part(value)) - MARGIN)}%`;
    return [svg("rect", { class: "bar", x: `${MARGIN}%`, y: MIDDLE - 6, width, height: 12, rx: 3, fill: color })];
  }

  rule(value) {
    return [line(this.at(value), 0, this.at(value), HEIGHT, "rule")];
  }
}

// Powers of ten around some times, as a scale.
export function decades(values, words) {
  const known = values.filter((value) => value > 0);
  const [least, most] = known.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [1, 1e-6]);
  const first = Math.floor(Math.log10(Math.min(least, most)));
  const last = Math.max(first + 1, Math.ceil(Math.log10(most)));
  const ticks = [];
  for (let power = first; power <= last; power += last - first > 6 ? 2 : 1) ticks.push([10 ** power, words(10 ** power)]);
  return new Scale(10 ** first, 10 ** last, { log: true, ticks });
}

function percent(part) {
  return Math.round((MARGIN + part * (100 - 2 * MARGIN)) * 100) / 100;
}

function line(x1, y1, x2, y2, kind, color) {
  return svg("line", { class: kind, x1, y1, x2, y2, stroke: color });
}
