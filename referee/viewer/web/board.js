// The board on the page: one picture turned into the next, element by element, so that what has a key is seen to move.
//
// Pictures are drawn by the games, with players' names in them. They are read as XML, in a document that runs and
// loads nothing, and only elements and attributes that are known to draw are built from them.

import { svg } from "./dom.js";

const TAGS = new Set(
  ("svg g path rect circle ellipse line polyline polygon text tspan title desc defs pattern clipPath mask marker " +
    "linearGradient radialGradient stop").split(" "),
);
const ATTRIBUTES = new Set(
  ("x y x1 y1 x2 y2 cx cy r rx ry fx fy dx dy d points width height viewBox transform fill fill-opacity fill-rule " +
    "stroke stroke-width stroke-linecap stroke-linejoin stroke-dasharray stroke-dashoffset stroke-opacity opacity " +
    "font-size font-weight font-family font-style text-anchor dominant-baseline letter-spacing rotate offset " +
    "stop-color stop-opacity gradientUnits gradientTransform patternUnits patternTransform clip-path clip-rule mask " +
    "marker-start marker-mid marker-end markerWidth markerHeight refX refY orient preserveAspectRatio role class id " +
    "data-key").split(" "),
);

const UNDRAWN = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 60"><text class="note" x="200" y="35"
  text-anchor="middle" fill="#666">The game gives no picture of this position.</text></svg>`;

export class Board {
  constructor() {
    this.node = svg("svg", { class: "board", role: "img", preserveAspectRatio: "xMidYMid meet" });
    this.sources = new WeakMap(); // of every element, what it was last made like
    this.box = null;
    this.ratio = 0;
  }

  // Shows a picture; with a duration, in milliseconds, what changed its place is seen to go there.
  show(text, duration) {
    let next = parsed(text);
    if (next.localName !== "svg" || next.querySelector("parsererror") !== null) next = parsed(UNDRAWN);
    for (const motion of this.node.getAnimations({ subtree: true })) motion.cancel();
    this.motions = duration ? [] : null;
    this.come = [];
    for (const name of ["fill", "font-family", "font-size", "text-anchor"]) copied(this.node, next, name);
    const title = [...next.children].find((child) => child.localName === "title");
    if (title !== undefined) {
      this.node.setAttribute("aria-label", title.textContent);
      title.remove(); // it would follow the mouse all over the board
    }
    this.children(this.node, next);
    this.frame(next, duration);
    if (duration) this.animate(duration);
  }

  children(live, next) {
    const keyed = new Map();
    const unkeyed = [];
    for (const child of live.children) {
      const key = child.dataset.key;
      if (key !== undefined) keyed.set(key, child);
      else unkeyed.push(child);
    }
    let place = live.firstElementChild;
    for (const source of next.children) {
      if (!TAGS.has(source.localName) || source.classList.contains("legend")) continue;
      const key = source.getAttribute("data-key");
      let node;
      if (key !== null) {
        node = keyed.get(key);
        keyed.delete(key);
      } else if (unkeyed.length > 0) {
        node = unkeyed.shift();
      }
      if (node !== undefined && node.localName !== source.localName) {
        if (node === place) place = place.nextElementSibling;
        node.remove();
        node = undefined;
      }
      if (node === undefined) {
        node = svg(source.localName);
        this.fill(node, source);
        live.insertBefore(node, place);
        if (key !== null) this.come.push(node);
        continue;
      }
      if (node === place) place = place.nextElementSibling;
      else live.insertBefore(node, place);
      this.change(node, source, key);
    }
    for (const left of [...keyed.values(), ...unkeyed]) left.remove();
  }

  change(node, source, key) {
    const before = this.sources.get(node);
    if (before !== undefined && before.isEqualNode(source)) return;
    if (key !== null && this.motions) this.motions.push([node, node.getBoundingClientRect()]);
    this.fill(node, source);
  }

  fill(node, source) {
    this.sources.set(node, source);
    for (const { name } of [...node.attributes]) if (!source.hasAttribute(name)) node.removeAttribute(name);
    for (const { name } of source.attributes) if (ATTRIBUTES.has(name)) copied(node, source, name);
    if (source.firstElementChild !== null) {
      // Text beside elements, as in a line with a word in bold, is simply written anew.
      const words = [...source.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && child.data.trim());
      if (words || node.firstElementChild === null) node.textContent = "";
      this.children(node, source);
      if (words) this.weave(node, source);
    } else if (node.textContent !== source.textContent) {
      node.textContent = source.textContent;
    }
  }

  weave(node, source) {
    const built = [...node.children];
    for (const child of source.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) node.append(child.data);
      else if (built.length > 0 && child.localName === built[0].localName) node.append(built.shift());
    }
  }

  // Only the board is shown of a picture that says where it is; a board that grows is followed.
  frame(next, duration) {
    const box = (next.getAttribute("data-board") || next.getAttribute("viewBox") || "0 0 100 100").split(" ").map(Number);
    const from = this.box;
    this.box = box;
    // A board that grows may push what is below it down, but not pull it up again when one looks back.
    this.ratio = Math.max(this.ratio, box[3] / box[2]);
    this.node.style.aspectRatio = `1 / ${this.ratio}`;
    const ground = this.node.querySelector(":scope > .ground");
    if (ground !== null) this.node.style.setProperty("--ground", ground.getAttribute("fill"));
    cancelAnimationFrame(this.zoom);
    if (!duration || from === null || from.every((value, index) => value === box[index])) {
      this.node.setAttribute("viewBox", box.join(" "));
      return;
    }
    const begun = performance.now();
    const draw = (now) => {
      const part = Math.min(1, Math.max(0, (now - begun) / duration));
      this.node.setAttribute("viewBox", from.map((value, index) => value + (box[index] - value) * part).join(" "));
      if (part < 1) this.zoom = requestAnimationFrame(draw);
    };
    draw(begun);
  }

  animate(duration) {
    const scale = (this.node.getScreenCTM() || { a: 1 }).a || 1;
    for (const [node, before] of this.motions) {
      const after = node.getBoundingClientRect();
      const x = (before.x + before.width / 2 - after.x - after.width / 2) / scale;
      const y = (before.y + before.height / 2 - after.y - after.height / 2) / scale;
      if (Math.abs(x) + Math.abs(y) < 1) continue;
      node.animate({ translate: [`${x}px ${y}px`, "0px 0px"] }, { duration, easing: "ease-in-out" });
    }
    for (const node of this.come) node.animate({ opacity: [0, 1] }, { duration: duration / 2, easing: "ease-out" });
  }
}

function parsed(text) {
  return new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
}

function copied(node, source, name) {
  const value = source.getAttribute(name);
  // A reference may only lead to another element of the picture.
  if (value === null || (/url\s*\(/i.test(value) && !/^url\(#[\w-]+\)$/.test(value))) node.removeAttribute(name);
  else if (node.getAttribute(name) !== value) node.setAttribute(name, value);
}
