// Which instances there are: folders in scope, and those that the settings name; each with its variables.
import type { Diagnostic } from "../diagnostic.ts";
import { refused } from "./file-faults.ts";
import { type Instance, pathIn } from "./instances.ts";
import { nameFault } from "./naming.ts";
import { askLists, type FileRefusal, type ListAnswer, type ListAsk, type RenderSteps } from "./need.ts";
import { ownerText } from "./owner.ts";
import type { Render } from "./read-settings.ts";
import type { Schema } from "./schema.ts";
import { inScope, missed, missingScope, nothingMatched } from "./scope.ts";
import type { Report } from "../report/report.ts";
import {
  missingVariable,
  undeclaredVariable,
  unknownScopeVariable,
  type Variables,
  variablesOf,
} from "./variables.ts";

interface Finding {
  /** The directory, as the edge finds it. */
  readonly root: string;
  /** Whether an include that finds nothing fails the run. */
  readonly isStrict: boolean;
  readonly report: Report;
}

export function* instancesOf(
  render: Render,
  schema: Schema,
  finding: Finding,
): RenderSteps<readonly Instance[]> {
  const { report, root } = finding;
  const scoped = yield* scopeOf(render, schema, finding);
  const named = [...scoped, ...render.instances].map(([name, own]): Instance | undefined => {
    const given = new Map([...render.variables, ...own]);
    const { variables, missing, undeclared } = variablesOf(schema.variables, given);
    const at = { text: `instance ${name}` };
    report.all(missing.map((each) => ({ ...missingVariable(each), at })));
    report.all(undeclared.map((each) => ({ ...undeclaredVariable(each, schema.variables), at })));
    const instance = { render, schema, name, variables, root };
    const fault = nameFault(instance);
    if (fault !== undefined) report.report(fault);
    return fault === undefined && missing.length === 0 ? instance : undefined;
  });
  return named.filter((each) => each !== undefined);
}

function* scopeOf(
  { scope, variables, owner }: Render,
  schema: Schema,
  { root, report, isStrict }: Finding,
): RenderSteps<readonly (readonly [string, Variables])[]> {
  if (scope === undefined) return [];
  const places = [scope.directories].flat();
  const paths = places.map((place) => pathIn(place, variables));
  const faults = paths.flatMap((path) => ("fault" in path ? [path.fault] : []));
  const at = { text: `${ownerText(owner)} spec.scope` };
  report.all(faults.map((fault) => ({ ...fault, at })));
  const isDeclared = schema.variables.some(({ name }) => name === scope.variable);
  if (!isDeclared) report.report({ ...unknownScopeVariable(scope.variable, schema.variables), at });
  if (faults.length > 0 || !isDeclared) return [];
  const asks = paths.map((path) => ({
    root,
    path: "names" in path ? path.names : [],
    wanted: "folders" as const,
  }));
  const answers = yield* askLists(asks);
  const folders = answers.flatMap((answer) => ("names" in answer ? answer.names : []));
  const odd = answers.flatMap((answer, index) => oddIn(answer, asks[index]?.path ?? []));
  const unlisted = answers.flatMap((answer, index) => unlistedFault(answer, asks[index]?.path ?? [], at));
  report.all(unlisted);
  if (unlisted.length > 0) return [];
  const found = inScope([...folders, ...odd.map(({ name }) => name)], scope.includes, scope.excludes);
  if ("faults" in found) {
    report.all(found.faults.map((fault) => ({ ...fault, at })));
    return [];
  }
  const where = places.join("`, `");
  const inDoubt = odd.filter(({ name }) => found.names.includes(name));
  report.all(inDoubt.map(({ path, why }) => refused(path, why)));
  if (inDoubt.length > 0) return [];
  report.all(found.misses.map((name) => ({ ...missed(name, folders, where, isStrict), at })));
  if (found.names.length === 0) {
    const files = yield* filesIn(asks);
    report.report({ ...nothingMatched(where, folders.length === 0 ? files : []), at });
  }
  return found.names.map((name) => [name, new Map([[scope.variable, name]])]);
}

function* filesIn(asks: readonly ListAsk[]): RenderSteps<readonly string[]> {
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

/** What may be an instance, and cannot be told to be one. */
function oddIn(
  answer: ListAnswer,
  folder: readonly string[],
): { readonly name: string; readonly path: string; readonly why: FileRefusal }[] {
  if (!("odd" in answer)) return [];
  return answer.odd.map(({ name, refused: why }) => ({ name, path: [...folder, name].join("/"), why }));
}
