// The licences of what is in an archive and not ours: whole texts, as all of them ask. The build has written those of the
// bundled packages; Debian's own stands in its package.
import { readFileSync } from "node:fs";
import type { Library } from "./libraries.ts";

const here = new URL("./licences/", import.meta.url);
const dist = new URL("../dist/", import.meta.url);

const licence = (name: string): string => readFileSync(new URL(`${name}.txt`, here), "utf8");

/** @param copyright what the libraries' own package says of them, if they come in one */
export function noticesOf(
  runtime: string,
  libraries: readonly Library[],
  copyright: string | undefined,
): string {
  const bundled = readFileSync(new URL("THIRD-PARTY-LICENCES.txt", dist), "utf8");
  const names = libraries.map(({ name, version }) => `${name} ${version}`).join(", ");
  const others = libraries.length === 0 ? [] : [`${names}, in lib/\n\n${copyright ?? gccNotice}`];
  const lesser =
    libraries.length > 0 && copyright === undefined ? [licence("GPL-3.0"), licence("GCC-exception-3.1")] : [];
  const texts = [licence("LGPL-2.0"), licence("LGPL-2.1"), ...lesser];
  return [bundled, runtimeNotice(runtime), ...others, ...texts].join(`\n${"-".repeat(80)}\n\n`);
}

const gccNotice = `GPL-3.0-or-later with the GCC Runtime Library Exception 3.1; both texts stand below. Parts of GCC
(https://gcc.gnu.org), unchanged but for the names by which the libraries find each other.
`;

/** JavaScriptCore is linked statically, so its licence asks that users can link another one. */
function runtimeNotice(version: string): string {
  return `bun ${version}, the runtime

${licence("bun")}
To run valuefold with another JavaScriptCore, link bun anew as told above, then make the executable anew with
\`npm run package\`, or run \`valuefold.cjs\` of the npm package by any bun or Node: the program needs nothing that is
special to this runtime.

${licence("MIT")}`;
}
