// The licences of what is in an archive and not ours. The build has written those of the bundled packages.
import { readFileSync } from "node:fs";
import type { Library } from "./libraries.ts";

const dist = new URL("../dist/", import.meta.url);

export function noticesOf(runtime: string, libraries: readonly Library[]): string {
  const bundled = readFileSync(new URL("THIRD-PARTY-LICENCES.txt", dist), "utf8");
  const others = libraries.map(
    ({ name, version, licence }) => `${name} ${version}, in lib/\n\n${licence}\n${sources(name)}`,
  );
  return [bundled, runtimeNotice(runtime), ...others].join(`\n${"-".repeat(80)}\n\n`);
}

/** JavaScriptCore is linked statically, so its licence asks that users can link another one. */
function runtimeNotice(version: string): string {
  return `bun ${version}, the runtime (https://github.com/oven-sh/bun)

MIT. It links JavaScriptCore, a part of WebKit, statically: LGPL-2.1-or-later, some files under 2-clause BSD licences.
Its README and LICENSE.md list all that it links. To run valuefold with another JavaScriptCore, build bun from its
sources with that one, then make the executable anew with \`npm run package\`, or run \`valuefold.cjs\` of the npm
package by any bun or Node: the program needs nothing that is special to this runtime.
`;
}

function sources(name: string): string {
  return name.startsWith("glibc")
    ? "Unchanged, as Debian builds it; Debian's source package glibc of that version holds the sources.\n"
    : "Part of GCC (https://gcc.gnu.org), unchanged but for the names by which the libraries find each other.\n";
}
