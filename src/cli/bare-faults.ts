// Faults of a start, as text. The starter reports them too, so nothing of the core is here.
import { codeOf, pathFault } from "../sources/index.ts";

/** A file of the program was cut or changed: on a full disk, or by a download that broke off. */
export const damagedCode = "ERR_DAMAGED";

export function damaged(file: string): Error {
  const text = `error[usage]: \`${file}\`, a file of valuefold, is damaged\n  hint  install valuefold again\n`;
  return Object.assign(new Error(text), { code: damagedCode });
}

/** A user copied the one file that starts the program. */
const incomplete =
  "error[usage]: the files that valuefold loads, `program.cjs` and `parts/*.cjs`, are not next to it\n" +
  "  hint  link to the program or install the package; a copy of the one file is not enough\n";

/** Why a file could not be loaded or read; undefined for any other error. */
export function loadFault(error: unknown): string | undefined {
  if (codeOf(error) === "MODULE_NOT_FOUND") return incomplete;
  if (!(error instanceof Error)) return undefined;
  if (codeOf(error) === damagedCode) return error.message;
  const fault = pathFault(error);
  return fault === undefined ? undefined : `error[usage]: ${fault}\n`;
}

/** A text as one YAML scalar: a literal block, in which nothing needs quotes and lines stay lines. kustomize prints it as it is. */
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
