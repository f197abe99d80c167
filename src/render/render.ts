// Settings → instances → files → texts → values → objects: the table of contents of a render. Pure: files, templates and
// SOPS are asked for, and supplied by whoever runs it.
import type { Diagnostic } from "../diagnostic.ts";
import { grouped } from "../grouped.ts";
import type { Report } from "../report/report.ts";
import { compose, type Composed } from "./compose.ts";
import { Reader } from "./document.ts";
import { type Instance, partKinds, pathIn } from "./instances.ts";
import { load, type Loaded, noDirectory, refused } from "./load.ts";
import { nameFault, ownerFaults } from "./naming.ts";
import { ownerText } from "./owner.ts";
import { askFiles, askLists, type RenderSteps } from "./need.ts";
import { conflictsAmong, objectOf, type RenderedObject } from "./objects.ts";
import { readSchemaText, type Render } from "./read-settings.ts";
import type { PartKind, Schema } from "./schema.ts";
import { inScope, missed, nothingMatched } from "./scope.ts";
import { seal } from "./seal.ts";
import { type LayerText, renderTexts } from "./templates.ts";
import { missingVariable, undeclaredVariable, type Variables, variablesOf } from "./variables.ts";

export interface RenderRequest {
  readonly renders: readonly Render[];
  /** Stands in for every `spec.directory`. */
  readonly directory?: string;
  /** Whether an include that finds nothing fails the run. */
  readonly isStrict: boolean;
  readonly report: Report;
}

/** All objects, or none where anything failed: a pruning pipeline would delete what is left out. */
export function* renderObjects(request: RenderRequest): RenderSteps<readonly RenderedObject[]> {
  const { report } = request;
  const objects: RenderedObject[] = [];
  for (const render of request.renders) objects.push(...(yield* renderOne(render, request)));
  report.all(conflictsAmong(objects));
  return report.failed ? [] : objects;
}

function* renderOne(render: Render, request: RenderRequest): RenderSteps<readonly RenderedObject[]> {
  const { report } = request;
  const root = request.directory ?? render.directory;
  if (root === undefined) report.report(noDirectory(ownerText(render.owner)));
  report.all(ownerFaults(render));
  if (root === undefined) return [];
  const schema = yield* schemaOf(render, root, report);
  if (schema === undefined) return [];
  const instances = yield* instancesOf(render, schema, root, request);
  const loaded = yield* load(instances, report);
  const reader = new Reader();
  const { texts, failed } = yield* renderTexts(loaded, reader, report);
  const composed = composeAll(loaded, texts, failed, { reader, report });
  const secrets = [...composed].map(([each, { secret }]) => ({ loaded: each, composed: secret }));
  const sealed = report.failed ? new Map() : yield* seal(secrets, report);
  return [...composed].flatMap(([each, both]) =>
    partKinds.map((kind) =>
      objectOf(each.instance, kind, both[kind], kind === "secret" ? sealed.get(each) : undefined),
    ),
  );
}

function* schemaOf({ schema }: Render, root: string, report: Report): RenderSteps<Schema | undefined> {
  if ("schema" in schema) return schema.schema;
  const names = schema.file.split("/").filter((name) => name !== "" && name !== ".");
  if (names.includes("..")) {
    report.report(schemaFault(schema.file, "the path leads out of the directory"));
    return undefined;
  }
  const [answer] = yield* askFiles([{ root, pieces: [names] }]);
  if (answer === undefined || "missing" in answer) {
    report.report(schemaFault(schema.file, "the schema is not there"));
    return undefined;
  }
  if ("refused" in answer) {
    report.report(refused(schema.file, answer.refused));
    return undefined;
  }
  const read = readSchemaText(answer.bytes, schema.file);
  if ("schema" in read) return read.schema;
  report.all(read.faults);
  return undefined;
}

function schemaFault(file: string, message: string): Diagnostic {
  return {
    code: "invalid-schema",
    severity: "error",
    message,
    field: "spec.schema",
    at: { text: file },
    hint: "`spec.schema` is a path in `spec.directory`, or the schema itself",
  };
}

function* instancesOf(
  render: Render,
  schema: Schema,
  root: string,
  request: RenderRequest,
): RenderSteps<readonly Instance[]> {
  const { report } = request;
  const scoped = yield* scopeOf(render, root, request);
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
  root: string,
  { report, isStrict }: RenderRequest,
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

function composeAll(
  loaded: readonly Loaded[],
  texts: readonly LayerText[],
  failed: ReadonlySet<Loaded>,
  { reader, report }: { readonly reader: Reader; readonly report: Report },
): ReadonlyMap<Loaded, Readonly<Record<PartKind, Composed>>> {
  const composed = new Map<Loaded, Record<PartKind, Composed>>();
  const byInstance = grouped(texts, (text) => text.loaded);
  for (const each of loaded) {
    if (failed.has(each)) continue;
    const own = byInstance.get(each) ?? [];
    const [configMap, secret] = partKinds.map((kind) => {
      const sources = new Map(
        own.filter((text) => text.kind === kind).map(({ layer, source }) => [layer.id, source]),
      );
      return compose(each, kind, { reader, report, sources });
    });
    if (configMap !== undefined && secret !== undefined) composed.set(each, { configMap, secret });
  }
  return composed;
}
