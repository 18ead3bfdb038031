// A small chart over the steps of something: lines, dots and a rule, with a cursor, and a click that leads somewhere.

import { svg } from "./dom.js";

const WIDTH = 400;
const LEFT = 46;
const RIGHT = 10;
const TOP = 8;
const BOTTOM = 20;

export class Plot {
  // `x` and `y` are [least, most]; `ticks` are [value, words] along y; a logarithmic y needs a least above 0.
  constructor({ label, x, y, log = false, height = 130, ticks = [], xTicks = [], onpick }) {
    this.x = x;
    this.y = log ? y.map(Math.log10) : y;
    this.log = log;
    this.height = height;
    this.node = svg("svg", { class: "plot", viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": label });
    for (const [value, words] of ticks) {
      const at = this.down(value);
      this.node.append(
        svg("path", { class: "grid", d: `M${LEFT} ${at}H${WIDTH - RIGHT}` }),
        svg("text", { class: "tick", x: LEFT - 6, y: at + 4, "text-anchor": "end" }, words),
      );
    }
    for (const [value, words] of xTicks) {
      const anchor = value === x[0] ? "start" : value === x[1] ? "end" : "middle";
      this.node.append(
        svg("text", { class: "tick", x: this.across(value), y: height - 5, "text-anchor": anchor }, words),
      );
    }
    this.series = svg("g", {});
    this.line = svg("path", { class: "cursor" });
    this.node.append(this.series, this.line);
    if (onpick) {
      this.node.classList.add("pickable");
      const pick = (event) => onpick(this.under(event));
      this.node.addEventListener("pointerdown", (event) => {
        this.node.setPointerCapture(event.pointerId);
        pick(event);
      });
      this.node.addEventListener("pointermove", (event) => event.buttons & 1 && pick(event));
    }
  }

  across(value) {
    const [least, most] = this.x;
    return rounded(LEFT + ((value - least) / (most - least || 1)) * (WIDTH - LEFT - RIGHT));
  }

  down(value) {
    const [least, most] = this.y;
    const measured = this.log ? Math.log10(Math.max(value, 1e-12)) : value;
    const part = Math.min(1, Math.max(0, (measured - least) / (most - least || 1)));
    return rounded(this.height - BOTTOM - part * (this.height - TOP - BOTTOM));
  }

  // The value of x that a pointer is over.
  under(event) {
    const box = this.node.getBoundingClientRect();
    const inside = ((event.clientX - box.x) / box.width) * WIDTH;
    const part = Math.min(1, Math.max(0, (inside - LEFT) / (WIDTH - LEFT - RIGHT)));
    return this.x[0] + part * (this.x[1] - this.x[0]);
  }

  // A line of points [x, y] that keeps its height until the next; between them nothing is known.
  stairs(points, color) {
    const d = points.map(([x, y], index) =>
      index === 0 ? `M${this.across(x)} ${this.down(y)}` : `H${this.across(x)}V${this.down(y)}`,
    );
    return this.drawn(d.join(""), "stairs", color);
  }

  dots(points, color) {
    return this.drawn(points.map(([x, y]) => `M${this.across(x)} ${this.down(y)}h0`).join(""), "dots", color);
  }

  crosses(points, color) {
    const d = points.map(([x, y]) => `M${this.across(x) - 4} ${this.down(y) - 4}l8 8m0-8l-8 8`);
    return this.drawn(d.join(""), "crosses", color);
  }

  rule(value, words) {
    const at = this.down(value);
    this.series.append(
      svg("path", { class: "rule", d: `M${LEFT} ${at}H${WIDTH - RIGHT}` }),
      svg("text", { class: "tick", x: WIDTH - RIGHT, y: at + 13, "text-anchor": "end" }, words),
    );
  }

  // Twice, with an edge, so that a white line is seen on white and a black one on black.
  drawn(d, kind, color) {
    const group = svg("g", { class: `series ${kind}` }, svg("path", { class: "edge", d }), svg("path", { stroke: color, d }));
    this.series.append(group);
    return group;
  }

  cursor(value) {
    this.line.setAttribute("d", `M${this.across(value)} ${TOP - 4}V${this.height - BOTTOM}`);
  }
}

// A few round numbers from 0 to something.
export function rounds(most, count = 3) {
  if (!(most > 0)) return [0];
  const rough = most / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * power).find((size) => size >= rough);
  const found = [];
  for (let value = 0; value <= most; value += step) found.push(value);
  return found;
}

function rounded(number) {
  return Math.round(number * 10) / 10;
}
