// Imports through a wing's door → imports of the module behind it. A bundle holds no door: what is lazily loaded and what
// is not is decided module by module.
import { readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import type { Plugin } from "esbuild";

const isDoor = /[\\/]src[\\/]\w+[\\/]index\.ts$/;
const statement = /^(import|export) (type )?\{([^}]*)\} from "(\.[^"]+)";$/gm;

const doors = new Map<string, ReadonlyMap<string, string>>();

/** The names that a door gives, and the module of each. */
function namesOf(door: string): ReadonlyMap<string, string> {
  const known = doors.get(door);
  if (known !== undefined) return known;
  const text = readFileSync(door, "utf8");
  const names = new Map<string, string>();
  for (const [, , , list = "", from = ""] of text.matchAll(statement))
    for (const name of listed(list)) names.set(name.replace(/^type /, ""), resolve(dirname(door), from));
  doors.set(door, names);
  return names;
}

function listed(list: string): string[] {
  return list
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");
}

/** @throws where a door does not give a name: the build fails. */
export function withoutDoors(path: string, text: string): string {
  return text.replaceAll(statement, (whole: string, verb: string, type = "", list = "", from = "") => {
    const door = resolve(dirname(path), from);
    if (!isDoor.test(door)) return whole;
    const names = namesOf(door);
    return listed(list)
      .map((each) => {
        const isType = type !== "" || each.startsWith("type ");
        const name = each.replace(/^type /, "");
        const module = names.get(name.replace(/ as .*/, ""));
        if (module === undefined) throw new Error(`${door} does not give ${name}`);
        // A type among values would keep its module in the bundle.
        return `${verb} ${isType ? "type " : ""}{ ${name} } from "./${relative(dirname(path), module)}";`;
      })
      .join(" ");
  });
}

/** For esbuild: the last of its plugins that load modules. */
export const throughDoors: Plugin = {
  name: "through doors",
  setup(bundler) {
    bundler.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
      return { contents: withoutDoors(path, readFileSync(path, "utf8")), loader: "ts" };
    });
  },
};
