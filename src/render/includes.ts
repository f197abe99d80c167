// The texts that templates include: those that are spelled out, or all of a folder where a template makes up the name.
import type { Diagnostic } from "../diagnostic.ts";
import type { Included } from "./include-calls.ts";
import type { Instance } from "./instances.ts";
import { refused } from "./file-faults.ts";
import { askFiles, askLists, type RenderSteps } from "./need.ts";
import type { IncludeOf } from "./schema.ts";

export interface Includes {
  /** By function, then by the name that templates call them by. */
  readonly texts: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly faults: readonly Diagnostic[];
}

interface Wanted {
  readonly function: string;
  readonly name: string;
  readonly path: readonly string[];
}

export function* loadIncludes(
  { schema: { includes }, root }: Pick<Instance, "root" | "schema">,
  called: readonly Included[],
): RenderSteps<Includes> {
  const faults: Diagnostic[] = [];
  const wanted = new Map<string, Wanted>();
  for (const include of includes)
    for (const name of new Set(
      called.flatMap(({ names }) => [...(names.get(include.function.name) ?? [])]),
    )) {
      const path = pathOf(name, include);
      if (path === undefined) faults.push(leadsOut(name, include));
      else wanted.set(`${include.function.name}/${name}`, { function: include.function.name, name, path });
    }
  const open = new Set(called.flatMap((each) => [...each.open]));
  const folders = includes.filter((include) => open.has(include.function.name));
  for (const each of yield* inFolders(folders, root, faults))
    wanted.set(`${each.function}/${each.name}`, each);
  const texts = new Map(includes.map((include) => [include.function.name, new Map<string, string>()]));
  const all = [...wanted.values()];
  const answers = yield* askFiles(all.map(({ path }) => ({ root, pieces: [path] })));
  for (const [index, each] of all.entries()) {
    const answer = answers[index];
    if (answer === undefined || "missing" in answer) continue;
    if ("refused" in answer) faults.push(refused(each.path.join("/"), answer.refused));
    else texts.get(each.function)?.set(each.name, Buffer.from(answer.bytes).toString("utf8"));
  }
  return { texts, faults };
}

function* inFolders(
  includes: readonly IncludeOf[],
  root: string,
  faults: Diagnostic[],
): RenderSteps<readonly Wanted[]> {
  const lists = yield* askLists(
    includes.map((include) => ({ root, path: namesOf(include.path.directory), wanted: "files" as const })),
  );
  return includes.flatMap((include, index) => {
    const answer = lists[index];
    if (answer === undefined || "missing" in answer) return [];
    if ("refused" in answer) {
      faults.push(refused(include.path.directory, answer.refused));
      return [];
    }
    const folder = namesOf(include.path.directory);
    return answer.names.flatMap((file): Wanted[] => {
      if (!file.endsWith(include.extension)) return [];
      const name = file.slice(0, file.length - include.extension.length);
      return [{ function: include.function.name, name, path: [...folder, ...namesOf(file)] }];
    });
  });
}

/** Undefined where it leads out of its folder. */
function pathOf(name: string, { path, extension }: IncludeOf): readonly string[] | undefined {
  const own = namesOf(`${name}${extension}`);
  return own.includes("..") || name.includes("\0") ? undefined : [...namesOf(path.directory), ...own];
}

function namesOf(path: string): string[] {
  return path.split("/").filter((name) => name !== "" && name !== ".");
}

function leadsOut(name: string, { function: { name: caller }, path }: IncludeOf): Diagnostic {
  return {
    code: "file-refused",
    severity: "error",
    message: `the include \`${name}\` leads out of its folder`,
    at: { text: `${path.directory === "" ? "the directory" : path.directory} (function \`${caller}\`)` },
    hint: "includes lie in the folder that the schema names, and their names hold no `..`",
  };
}
