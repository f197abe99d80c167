// Comments at the top of files, above the first key. One with a blank line below is about its file: the base has it only if all
// files do. Any other is about the first key, and stays in its file where that key goes.

/** The text of a base without comments on one file. */
export function baseHeaded(base: Uint8Array, files: readonly Uint8Array[]): Uint8Array {
  const text = textOf(base);
  const top = topOf(text);
  const end = top.lastIndexOf("\n\n") + 2;
  if (end < 2) return base;
  const tops = files.map((file) => topOf(textOf(file)));
  const lines = top.slice(0, end).split("\n");
  const kept = lines.filter((line) => line.trim() === "" || tops.every((each) => each.includes(line)));
  const head = kept.some((line) => line.trim() !== "") ? kept.join("\n") : "";
  return Buffer.from(head + text.slice(end), "latin1");
}

/** The text of a layer with the comments at the top of its file that are in none of its layers. */
export function layerHeaded(layer: Uint8Array, file: Uint8Array, below: readonly Uint8Array[]): Uint8Array {
  const top = topOf(textOf(file));
  const texts = [layer, ...below].map(textOf);
  const lost = top
    .split("\n")
    .filter((line) => line.trim() !== "" && !texts.some((text) => text.includes(line.trim())));
  if (lost.length === 0) return layer;
  const gap = top.includes("\n\n") ? "\n" : "";
  return Buffer.from(lost.map((line) => `${line.trim()}\n`).join("") + gap + texts[0], "latin1");
}

/** Comments and blank lines before the first key. */
function topOf(text: string): string {
  return /^(?:[ \t]*(?:#.*)?\n)*/.exec(text)?.[0] ?? "";
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("latin1").replaceAll("\r\n", "\n");
}
