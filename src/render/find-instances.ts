// Which instances there are: folders in scope, and those that the settings name; each with its variables.
import { type Finding, scopeOf } from "./find-scope.ts";
import type { Instance } from "./instances.ts";
import { nameFault } from "./naming.ts";
import type { RenderSteps } from "./need.ts";
import type { Render } from "./read-settings.ts";
import type { Schema } from "./schema.ts";
import { missingVariable, undeclaredVariable, variablesOf } from "./variables.ts";

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
