// The controls under the board: buttons, the bar to scrub on with its marks, the speed, and the keys that do the same.

import { button, el, icon } from "./dom.js";
import { SPEEDS } from "./player.js";

// `marks` are { step, kind, words }; `spoken` tells a step in words.
export function transport(player, marks, spoken) {
  const toggle = button("Play", "play", () => player.toggle());
  const bar = el("input", {
    type: "range", min: 0, max: player.last, step: 1, value: 0, class: "bar", "aria-label": "Turn",
    oninput: () => player.go(Number(bar.value)),
  });
  const speed = el(
    "select",
    { "aria-label": "Speed", title: "Speed (+ and -)", onchange: () => player.setSpeed(Number(speed.value)) },
    ...SPEEDS.map((value) => el("option", { value }, `${value}×`)),
  );
  const scrub = el("div", { class: "scrub" }, bar, ...marks.map((mark) => flag(mark, player)));
  const node = el(
    "div",
    { class: "transport", role: "group", "aria-label": "Playback" },
    el(
      "div",
      { class: "buttons" },
      button("First", "first", () => player.go(0)),
      button("Previous", "back", () => player.go(player.step - 1, "step")),
      toggle,
      button("Next", "next", () => player.go(player.step + 1, "step")),
      button("Last", "last", () => player.go(player.last)),
    ),
    scrub,
    speed,
  );
  toggle.classList.add("main");
  const show = () => {
    bar.value = player.step;
    bar.setAttribute("aria-valuetext", spoken(player.step));
    bar.style.setProperty("--done", `${(100 * player.step) / Math.max(1, player.last)}%`);
    speed.value = String(player.speed);
    const label = player.playing ? "Pause" : "Play";
    if (toggle.getAttribute("aria-label") !== label) {
      toggle.setAttribute("aria-label", label);
      toggle.title = `${label} (space)`;
      toggle.replaceChildren(icon(player.playing ? "pause" : "play"));
    }
  };
  player.listen(show);
  show();
  return node;
}

function flag({ step, kind, words }, player) {
  const made = el("button", { type: "button", class: `flag ${kind}`, title: words, "aria-label": words });
  made.style.setProperty("--at", player.last ? step / player.last : 0);
  made.addEventListener("click", () => player.go(step));
  return made;
}

// `hop` goes to the next or the previous turn of whoever is followed.
export function keys(player, hop) {
  const deeds = {
    " ": () => player.toggle(),
    ArrowRight: (event) => (event.shiftKey ? hop(1) : player.go(player.step + 1, "step")),
    ArrowLeft: (event) => (event.shiftKey ? hop(-1) : player.go(player.step - 1, "step")),
    Home: () => player.go(0),
    End: () => player.go(player.last),
    "+": () => player.faster(1),
    "=": () => player.faster(1),
    "-": () => player.faster(-1),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(deeds, event.key)) return;
    const target = event.target instanceof Element ? event.target : document.body;
    if (target.closest("select, textarea") && !"+=-".includes(event.key)) return;
    if (event.key === " " && target.closest("button, a, summary")) return; // it presses that
    event.preventDefault();
    deeds[event.key](event);
  });
  // A button that was clicked with the mouse would otherwise take the space bar from then on.
  document.addEventListener("click", (event) => {
    if (event.detail > 0) event.target.closest("button")?.blur();
  });
}
