// Where `npm run package` has put each form, and how a form that this machine cannot run itself is run.
import { readFileSync } from "node:fs";

export const root = new URL("../../../", import.meta.url).pathname;
const out = `${root}packaging/out`;
const version = (JSON.parse(readFileSync(`${root}package.json`, "utf8")) as { version: string }).version;
const roots = `${root}test/real/.tools/roots`;

export function folderOf(target: string): string {
  return `${out}/folders/valuefold-${version}-${target}`;
}

/** The form that this machine runs as it is. */
export const native = `${folderOf("linux-x64")}/valuefold`;

/** An executable for arm64, emulated, with the C libraries that it asks for. */
export function emulated(target: string): string[] {
  const libraries = target === "linux-arm64-bare" ? `${out}/image/arm64` : `${roots}/arm64`;
  return ["/usr/bin/qemu-aarch64-static", "-L", libraries, `${folderOf(target)}/valuefold`];
}

/** What a container may do: no more than orchestrators grant to functions, and as little memory as clusters give. */
export const confined = [
  "run",
  "--rm",
  "--interactive",
  "--network=none",
  "--read-only",
  "--user=65534:65534",
  "--memory=256m",
  "--security-opt=no-new-privileges",
  "--cap-drop=ALL",
];
