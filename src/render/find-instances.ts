// Which instances there are: folders in scope, and those that the settings name; each with its variables.
import { refused } from "./file-faults.ts";
import { type Instance, pathIn } from "./instances.ts";
import { nameFault } from "./naming.ts";
import { askLists, type RenderSteps } from "./need.ts";
import { ownerText } from "./owner.ts";
import type { Render } from "./read-settings.ts";
import type { Schema } from "./schema.ts";
import { inScope, missed, nothingMatched } from "./scope.ts";
import type { Report } from "../report/report.ts";
import { missingVariable, undeclaredVariable, type Variables, variablesOf } from "./variables.ts";

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
  const scoped = yield* scopeOf(render, finding);
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
  { root, report, isStrict }: Finding,
): RenderSteps<readonly (readonly [string, Variables])[]> {
  if (scope === undefined) return [];
  const places = [scope.directories].flat();
  const paths = places.map((place) => pathIn(place, variables));
  const faults = paths.flatMap((path) => ("fault" in path ? [path.fault] : []));
  const at = { text: `${ownerText(owner)} spec.scope` };
  report.all(faults.map((fault) => ({ ...fault, at })));
  if (faults.length > 0) return [];
  const asks = paths.map((path) => ({
    root,
    path: "names" in path ? path.names : [],
    wanted: "folders" as const,
  }));
  const answers = yield* askLists(asks);
  const folders = answers.flatMap((answer, index) => {
    if ("refused" in answer) report.report(refused(places[index] ?? "", answer.refused));
    return "names" in answer ? answer.names : [];
  });
  if (answers.some((answer) => "refused" in answer)) return [];
  const found = inScope(folders, scope.includes, scope.excludes);
  if ("faults" in found) {
    report.all(found.faults.map((fault) => ({ ...fault, at })));
    return [];
  }
  const where = places.join("`, `");
  report.all(found.misses.map((name) => ({ ...missed(name, folders, where, isStrict), at })));
  if (found.names.length === 0) report.report({ ...nothingMatched(where), at });
  return found.names.map((name) => [name, new Map([[scope.variable, name]])]);
}
