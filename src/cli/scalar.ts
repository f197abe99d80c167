// A text as one YAML scalar, which kustomize prints as it is.

/** A literal block, in which nothing needs quotes and lines stay lines. */
export function scalarOf(text: string): string {
  const lines = text.trimEnd().split("\n");
  return `|-\n${lines.map((line) => `  ${plain(line)}\n`).join("")}`;
}

/** kustomize would print the whole text in double quotes for one character that Go's YAML does not print as it is. */
function plain(line: string): string {
  return line
    .trimEnd()
    .replaceAll(
      /[^\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/gu,
      (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
    );
}
