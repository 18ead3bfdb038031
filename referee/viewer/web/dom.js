// Elements and text of the page. Data becomes text nodes and attribute values here, never markup.

const SVG = "http://www.w3.org/2000/svg";

export function el(tag, attributes, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

// What a stranger wrote, kept from turning the text around it.
export function name(text) {
  return el("bdi", { class: "name" }, text);
}

const ICONS = {
  first: "M5 5v14M19 5 9 12l10 7z",
  back: "M17 5 7 12l10 7z",
  play: "M8 5l11 7-11 7z",
  pause: "M8 5v14M16 5v14",
  next: "M7 5l10 7-10 7z",
  last: "M19 5v14M5 5l10 7-10 7z",
  copy: "M9 9h10v11H9zM5 15V4h10",
  save: "M12 4v11M7 11l5 5 5-5M5 20h14",
};

export function icon(kind) {
  const path = svg("path", { d: ICONS[kind] });
  return svg("svg", { class: `icon ${kind}`, viewBox: "0 0 24 24", "aria-hidden": "true" }, path);
}

export function button(label, kind, onclick, shown) {
  const attributes = { type: "button", title: label, "aria-label": label, onclick };
  return el("button", attributes, kind ? icon(kind) : null, shown || null);
}

// Puts a text on the clipboard, and says so in the button for a moment.
export function copyButton(label, text, shown) {
  const words = el("span", {}, shown);
  const made = el("button", { type: "button", class: "copy", title: label, "aria-label": label }, icon("copy"), words);
  made.addEventListener("click", async () => {
    const done = await copied(text);
    words.textContent = done ? "Copied" : "Copy by hand";
    setTimeout(() => (words.textContent = shown), 1500);
  });
  return made;
}

async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Browsers that keep the clipboard from files on a disk still copy what is selected.
    const area = el("textarea", { class: "unseen", readonly: true });
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}

export function panel(title, ...children) {
  return el("section", { class: "panel" }, el("h2", {}, title), ...children);
}
