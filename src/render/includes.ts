// The texts that templates include: those that they name, or all of a folder where a template computes the name.
import type { Diagnostic } from "../diagnostic.ts";
import type { Included } from "./template-text.ts";
import type { Instance } from "./instances.ts";
import { errorAt, refused } from "./faults.ts";
import { askFiles, askLists, type FileRefusal, type RenderSteps } from "./need.ts";
import type { IncludeOf } from "./schema.ts";

export interface Includes {
  /** By function, then by the name that templates call them by. */
  readonly texts: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** The file of each, by the name that templates call it by. */
  readonly paths: ReadonlyMap<string, string>;
  readonly faults: readonly Diagnostic[];
  /** Files that templates may have meant that make up their names, and that are not read. */
  readonly passed: readonly Diagnostic[];
}

/** What a template includes; what a sealed one spells out is sealed, too. */
export interface IncludingTemplate {
  readonly included: Included;
  readonly isSealed: boolean;
  /** The template's file. */
  readonly file: string;
}

interface WantedInclude {
  readonly function: string;
  readonly name: string;
  readonly path: readonly string[];
  /** Where the name is written: in a plain template, in sealed ones only, or in no template. */
  readonly spelled: "open" | "sealed" | "nowhere";
  readonly include: IncludeOf;
}

export function* loadIncludes(
  { schema: { includes }, root }: Pick<Instance, "root" | "schema">,
  called: readonly IncludingTemplate[],
): RenderSteps<Includes> {
  const faults: Diagnostic[] = [];
  const passed: Diagnostic[] = [];
  const open = new Set(called.flatMap(({ included }) => [...included.open]));
  const folders = includes.filter((include) => open.has(include.function.name));
  const wanted = new Map<string, WantedInclude>();
  for (const each of yield* inFolders(folders, root, { faults, passed }))
    wanted.set(`${each.function}/${each.name}`, each);
  for (const include of includes)
    for (const [name, { isSealed, file }] of namesIn(called, include)) {
      const path = pathOf(name, include);
      const { name: caller } = include.function;
      const spelled = isSealed ? "sealed" : "open";
      if (path === undefined) faults.push(leadsOut(isSealed ? undefined : name, file, include));
      else wanted.set(`${caller}/${name}`, { function: caller, name, path, spelled, include });
    }
  const texts = new Map(includes.map((include) => [include.function.name, new Map<string, string>()]));
  const all = [...wanted.values()];
  const answers = yield* askFiles(all.map(({ path }) => ({ root, pieces: [path] })));
  for (const [index, each] of all.entries()) {
    const answer = answers[index];
    if (answer === undefined || "missing" in answer) continue;
    if ("refused" in answer)
      (each.spelled === "nowhere" ? passed : faults).push(refusedInclude(each, answer.refused));
    else texts.get(each.function)?.set(each.name, Buffer.from(answer.bytes).toString("utf8"));
  }
  const paths = new Map(all.map(({ name, path }) => [name, path.join("/")]));
  return { texts, paths, faults, passed };
}

/** Names that templates spell out, each with the first template that does: a sealed one only if all are. */
function namesIn(
  called: readonly IncludingTemplate[],
  include: IncludeOf,
): ReadonlyMap<string, IncludingTemplate> {
  const names = new Map<string, IncludingTemplate>();
  for (const calling of called)
    for (const name of calling.included.names.get(include.function.name) ?? []) {
      const known = names.get(name);
      if (known === undefined || (known.isSealed && !calling.isSealed)) names.set(name, calling);
    }
  return names;
}

function refusedInclude({ spelled, path, include }: WantedInclude, why: FileRefusal): Diagnostic {
  if (spelled !== "sealed") return refused(path.join("/"), why);
  const fault = refused("", why);
  return { ...fault, at: { text: `an include of a sealed template, in ${placeOf(include)}` } };
}

function* inFolders(
  includes: readonly IncludeOf[],
  root: string,
  { faults, passed }: { readonly faults: Diagnostic[]; readonly passed: Diagnostic[] },
): RenderSteps<readonly WantedInclude[]> {
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
    for (const { name, refused: why } of answer.odd) passed.push(refused([...folder, name].join("/"), why));
    return answer.names.flatMap((file): WantedInclude[] => {
      if (!file.endsWith(include.extension)) return [];
      const name = file.slice(0, file.length - include.extension.length);
      const path = [...folder, ...namesOf(file)];
      return [{ function: include.function.name, name, path, spelled: "nowhere", include }];
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

function placeOf({ function: { name: caller }, path }: IncludeOf): string {
  return `${path.directory === "" ? "the directory" : path.directory} (function \`${caller}\`)`;
}

/** @param name undefined if it may not be shown */
function leadsOut(name: string | undefined, file: string, include: IncludeOf): Diagnostic {
  const named = name === undefined ? "an include of a sealed template" : `the include \`${name}\``;
  return errorAt(
    "file-refused",
    file,
    `${named} leads out of the folder of \`${include.function.name}\``,
    "includes are in the folder that the schema names, and their names hold no `..`",
  );
}
