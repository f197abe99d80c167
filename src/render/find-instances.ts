// Which instances there are: folders in scope, and those that the settings name; each with its variables. A folder that is
// not there, or that cannot be listed, ends the run: whatever it holds would be left out.
import type { Diagnostic } from "../diagnostic.ts";
import type { Report } from "../report/index.ts";
import { refused } from "./faults.ts";
import { type RenderInstance, pathIn } from "./instances.ts";
import { ownerText } from "./kinds.ts";
import { nameFault } from "./naming.ts";
import { askLists, type ListAnswer, type ListRequest, type RenderSteps } from "./need.ts";
import type { Render } from "./read-settings.ts";
import type { LayoutSchema } from "./schema.ts";
import { inScope, missed, missingScope, nothingMatched, patternFaults } from "./scope.ts";
import { unknownScopeVariable, type Variables, variablesOf } from "./variables.ts";

export interface FindOptions {
  /** The directory, as the edge finds it. */
  readonly root: string;
  /** True if an include that finds nothing fails the run. */
  readonly isStrict: boolean;
  readonly report: Report;
}

export function* instancesOf(
  render: Render,
  schema: LayoutSchema,
  finding: FindOptions,
): RenderSteps<readonly RenderInstance[]> {
  const { report, root } = finding;
  const scoped = yield* scopeOf(render, schema, finding);
  const all = [...scoped, ...render.instances].map(([name, own]): RenderInstance | undefined => {
    const { variables, faults } = variablesOf(schema.variables, new Map([...render.variables, ...own]));
    const at = { text: `instance ${name}`, instance: name };
    report.all(faults.map((fault) => ({ ...fault, at })));
    const instance = { render, schema, name, variables, root };
    const fault = nameFault(instance);
    if (fault !== undefined) report.report(fault);
    const isSound = fault === undefined && faults.every(({ severity }) => severity !== "error");
    return isSound ? instance : undefined;
  });
  return all.filter((each) => each !== undefined);
}

type NamedInstances = readonly (readonly [string, Variables])[];

function* scopeOf(
  render: Render,
  schema: LayoutSchema,
  { root, isStrict, report }: FindOptions,
): RenderSteps<NamedInstances> {
  const { scope, variables, owner } = render;
  if (scope === undefined) return [];
  const at = { text: `${ownerText(owner)} spec.scope` };
  const directories = [scope.directories].flat();
  const paths = directories.map((path) => pathIn(path, variables));
  const isDeclared = schema.variables.some(({ name }) => name === scope.variable);
  const faults = [
    ...paths.flatMap((path) => ("fault" in path ? [path.fault] : [])),
    ...(isDeclared ? [] : [unknownScopeVariable(scope.variable, schema.variables)]),
    ...patternFaults(scope),
  ];
  report.all(faults.map((fault) => ({ ...fault, at })));
  if (faults.length > 0) return [];
  const asks = paths.map((path) => ({ root, path: "names" in path ? path.names : [] }));
  const listed = listedIn(yield* askLists(asks.map((ask) => ({ ...ask, wanted: "folders" }))), asks);
  report.all(listed.faults.map((fault) => ({ at, ...fault })));
  if (listed.faults.length > 0) return [];
  const { folders, odd } = listed;
  const { names, misses } = inScope([...folders, ...odd.keys()], scope);
  report.all(names.flatMap((name) => odd.get(name) ?? []));
  const where = directories.join("`, `");
  report.all(
    misses.map((name) => ({ ...missed(name, folders, where, isStrict), at: { ...at, instance: name } })),
  );
  if (names.length === 0) {
    const files = folders.length > 0 ? [] : yield* filesIn(asks);
    report.report({ ...nothingMatched(where, files), at });
  }
  const there = new Set(folders);
  return names.filter((name) => there.has(name)).map((name) => [name, new Map([[scope.variable, name]])]);
}

function* filesIn(asks: readonly Omit<ListRequest, "wanted">[]): RenderSteps<readonly string[]> {
  const answers = yield* askLists(asks.map((ask) => ({ ...ask, wanted: "files" })));
  return listedIn(answers, asks).folders;
}

interface ListedFolders {
  readonly folders: readonly string[];
  /** By name: entries that may be instances, and cannot be read as folders. */
  readonly odd: ReadonlyMap<string, Diagnostic>;
  readonly faults: readonly Diagnostic[];
}

/** A folder that is not there would leave all its instances out: a pruning pipeline would delete them. */
function listedIn(answers: readonly ListAnswer[], asks: readonly Pick<ListRequest, "path">[]): ListedFolders {
  const all = answers.map((answer, index) => ({ answer, path: asks[index]?.path ?? [] }));
  return {
    folders: all.flatMap(({ answer }) => ("names" in answer ? answer.names : [])),
    odd: new Map(
      all.flatMap(({ answer, path }) =>
        ("odd" in answer ? answer.odd : []).map(({ name, refused: why }) => [
          name,
          refused([...path, name].join("/"), why),
        ]),
      ),
    ),
    faults: all.flatMap(({ answer, path }) => {
      if ("refused" in answer) return [refused(path.join("/"), answer.refused)];
      return "missing" in answer ? [missingScope(path.join("/"))] : [];
    }),
  };
}
