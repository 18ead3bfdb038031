// The blocks that the page carries: compressed, and spelled in letters that mean nothing to HTML.

export function has(id) {
  return document.getElementById(id) !== null;
}

export async function unpack(id) {
  const letters = document.getElementById(id).textContent;
  const bytes = Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).text();
}

export async function unpackJson(id) {
  return JSON.parse(await unpack(id));
}

// Hands a block to the reader as a file.
export async function download(id, file) {
  const url = URL.createObjectURL(new Blob([await unpack(id)], { type: "application/x-ndjson" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = file;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
