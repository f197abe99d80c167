// The texts that templates include: all files of the folders that the schema names.
import type { Diagnostic } from "../diagnostic.ts";
import { refused } from "./faults.ts";
import { type RenderInstance, namesOf } from "./instances.ts";
import { askFiles, askLists, type ListAnswer, type RenderSteps } from "./need.ts";
import type { IncludeOf } from "./schema.ts";

export interface Includes {
  /** By function, then by the name that templates call them by. */
  readonly texts: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** The file of each, by the name that templates call it by. */
  readonly paths: ReadonlyMap<string, string>;
  /** Folders that cannot be listed. */
  readonly faults: readonly Diagnostic[];
  /** Files that are not read: they matter only where a template does not find what it includes. */
  readonly passed: readonly Diagnostic[];
}

interface IncludeFile {
  readonly function: string;
  readonly name: string;
  readonly path: readonly string[];
}

/** @param templates a folder is read if one of these texts holds the name of its function */
export function* loadIncludes(
  { schema: { includes }, root }: Pick<RenderInstance, "root" | "schema">,
  templates: readonly string[],
): RenderSteps<Includes> {
  const called = includes.filter((each) => templates.some((text) => text.includes(each.function.name)));
  const folders = called.map(({ path }) => namesOf(path.directory));
  const lists = yield* askLists(folders.map((path) => ({ root, path, wanted: "files" })));
  const faults: Diagnostic[] = [];
  const passed: Diagnostic[] = [];
  const files = called.flatMap((include, index) => {
    const answer = lists[index] ?? { missing: true };
    if ("refused" in answer) faults.push(refused(include.path.directory, answer.refused));
    if ("odd" in answer)
      for (const { name, refused: why } of answer.odd) passed.push(refused(pathOf(include, name), why));
    return filesIn(include, answer);
  });
  const texts = new Map(includes.map((include) => [include.function.name, new Map<string, string>()]));
  const answers = yield* askFiles(files.map(({ path }) => ({ root, pieces: [path] })));
  for (const [index, file] of files.entries()) {
    const answer = answers[index] ?? { missing: 0 };
    if ("refused" in answer) passed.push(refused(file.path.join("/"), answer.refused));
    if ("bytes" in answer)
      texts.get(file.function)?.set(file.name, Buffer.from(answer.bytes).toString("utf8"));
  }
  return { texts, paths: new Map(files.map(({ name, path }) => [name, path.join("/")])), faults, passed };
}

function filesIn(include: IncludeOf, answer: ListAnswer): IncludeFile[] {
  const { function: caller, path, extension } = include;
  const names = "names" in answer ? answer.names.filter((name) => name.endsWith(extension)) : [];
  return names.map((file) => ({
    function: caller.name,
    name: file.slice(0, file.length - extension.length),
    path: [...namesOf(path.directory), ...namesOf(file)],
  }));
}

function pathOf({ path }: IncludeOf, name: string): string {
  return [...namesOf(path.directory), name].join("/");
}
