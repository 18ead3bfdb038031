// Points, as they are written and drawn.

import { el } from "./dom.js";

export function points(number) {
  return String(Number(number.toFixed(4)));
}

export function share(earned, most) {
  return most > 0 ? Math.min(1, Math.max(0, earned / most)) : 0;
}

// Said by the number beside it, so nobody is read it twice.
export function shareBar(earned, most) {
  const fill = el("span", { class: "fill" });
  fill.style.setProperty("width", `${100 * share(earned, most)}%`);
  return el("div", { class: "share", "aria-hidden": "true" }, fill);
}
