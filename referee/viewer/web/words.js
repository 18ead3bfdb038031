// Numbers and lists as people write them.

export function duration(seconds) {
  if (seconds === 0) return "0 s";
  if (seconds < 0.001) return `${Math.max(1, Math.round(seconds * 1e6))} µs`;
  if (seconds < 1) return `${significant(seconds * 1000)} ms`;
  return `${significant(seconds)} s`;
}

export function several(words) {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`;
}

export function counted(count, noun) {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

function significant(number) {
  return String(Number(number.toPrecision(3)));
}
