// Which instances there are: folders in scope, and those that the settings name; each with its variables. A folder that is
// not there, or that cannot be listed, ends the run: whatever it holds would be left out.
import type { Diagnostic } from "../diagnostic.ts";
import type { Report } from "../core/index.ts";
import { refused } from "./faults.ts";
import { type Instance, pathIn } from "./instances.ts";
import { askLists, type FileRefusal, type ListAnswer, type ListRequest, type RenderSteps } from "./need.ts";
import { ownerText } from "./kinds.ts";
import type { Render } from "./read-settings.ts";
import type { Schema } from "./schema.ts";
import { inScope, missed, missingScope, nothingMatched } from "./scope.ts";
import {
  missingVariable,
  undeclaredVariable,
  unknownScopeVariable,
  type Variables,
  variablesOf,
} from "./variables.ts";
import { nameFault } from "./naming.ts";

export interface FindOptions {
  /** The directory, as the edge finds it. */
  readonly root: string;
  /** True if an include that finds nothing fails the run. */
  readonly isStrict: boolean;
  readonly report: Report;
}

type NamedInstances = readonly (readonly [string, Variables])[];

function* scopeOf(render: Render, schema: Schema, finding: FindOptions): RenderSteps<NamedInstances> {
  const { scope } = render;
  if (scope === undefined) return [];
  const { report } = finding;
  const at = { text: `${ownerText(render.owner)} spec.scope` };
  const asks = asksOf(scope, render, schema, finding);
  report.all(asks.faults.map((fault) => ({ ...fault, at })));
  if (asks.faults.length > 0) return [];
  const listed = yield* listedOf(asks.asks, at);
  report.all(listed.faults);
  if (listed.faults.length > 0) return [];
  const { folders, odd } = listed;
  const found = inScope([...folders, ...odd.map(({ name }) => name)], scope.includes, scope.excludes);
  if ("faults" in found) {
    report.all(found.faults.map((fault) => ({ ...fault, at })));
    return [];
  }
  const { names, misses } = found;
  report.all(odd.filter(({ name }) => names.includes(name)).map(({ path, why }) => refused(path, why)));
  const where = [scope.directories].flat().join("`, `");
  report.all(
    misses.map((name) => ({
      ...missed(name, folders, where, finding.isStrict),
      at: { ...at, instance: name },
    })),
  );
  if (names.length === 0) {
    const files = folders.length === 0 ? yield* filesIn(asks.asks) : [];
    report.report({ ...nothingMatched(where, files), at });
  }
  const there = new Set(folders);
  return names.filter((name) => there.has(name)).map((name) => [name, new Map([[scope.variable, name]])]);
}

function asksOf(
  { directories, variable }: NonNullable<Render["scope"]>,
  { variables }: Render,
  schema: Schema,
  { root }: FindOptions,
): { readonly asks: readonly ListRequest[]; readonly faults: readonly Diagnostic[] } {
  const paths = [directories].flat().map((place) => pathIn(place, variables));
  const isDeclared = schema.variables.some(({ name }) => name === variable);
  return {
    asks: paths.map((path) => ({ root, path: "names" in path ? path.names : [], wanted: "folders" })),
    faults: [
      ...paths.flatMap((path) => ("fault" in path ? [path.fault] : [])),
      ...(isDeclared ? [] : [unknownScopeVariable(variable, schema.variables)]),
    ],
  };
}

interface ListedFolders {
  readonly folders: readonly string[];
  /** Entries that may be instances, and cannot be read as folders. */
  readonly odd: readonly { readonly name: string; readonly path: string; readonly why: FileRefusal }[];
  readonly faults: readonly Diagnostic[];
}

function* listedOf(asks: readonly ListRequest[], at: Diagnostic["at"] & object): RenderSteps<ListedFolders> {
  const answers = yield* askLists(asks);
  const folderAt = (index: number): readonly string[] => asks[index]?.path ?? [];
  return {
    folders: answers.flatMap((answer) => ("names" in answer ? answer.names : [])),
    odd: answers.flatMap((answer, index) => oddIn(answer, folderAt(index))),
    faults: answers.flatMap((answer, index) => unlistedFault(answer, folderAt(index), at)),
  };
}

function* filesIn(asks: readonly ListRequest[]): RenderSteps<readonly string[]> {
  const answers = yield* askLists(asks.map((ask) => ({ ...ask, wanted: "files" })));
  return answers.flatMap((answer) => ("names" in answer ? answer.names : []));
}

/** A folder that is not there would leave all its instances out: a pruning pipeline would delete them. */
function unlistedFault(
  answer: ListAnswer,
  names: readonly string[],
  at: Diagnostic["at"] & object,
): Diagnostic[] {
  const path = names.join("/");
  if ("refused" in answer) return [refused(path, answer.refused)];
  return "missing" in answer ? [{ ...missingScope(path), at }] : [];
}

function oddIn(answer: ListAnswer, folder: readonly string[]): ListedFolders["odd"] {
  if (!("odd" in answer)) return [];
  return answer.odd.map(({ name, refused: why }) => ({ name, path: [...folder, name].join("/"), why }));
}

export function* instancesOf(
  render: Render,
  schema: Schema,
  finding: FindOptions,
): RenderSteps<readonly Instance[]> {
  const { report, root } = finding;
  const scoped = yield* scopeOf(render, schema, finding);
  const named = [...scoped, ...render.instances].map(([name, own]): Instance | undefined => {
    const given = new Map([...render.variables, ...own]);
    const { variables, missing, undeclared } = variablesOf(schema.variables, given);
    const at = { text: `instance ${name}`, instance: name };
    report.all(missing.map((each) => ({ ...missingVariable(each), at })));
    report.all(undeclared.map((each) => ({ ...undeclaredVariable(each, schema.variables), at })));
    const instance = { render, schema, name, variables, root };
    const fault = nameFault(instance);
    if (fault !== undefined) report.report(fault);
    return fault === undefined && missing.length === 0 ? instance : undefined;
  });
  return named.filter((each) => each !== undefined);
}
