// Settings → instances → files → texts → values → objects: the table of contents of a render. Pure: files, templates and
// SOPS are requests that the caller answers.
import type { Diagnostic } from "../diagnostic.ts";
import { grouped, type Report } from "../core/index.ts";
import { compose, type Composed } from "./compose.ts";
import { Reader } from "./document.ts";
import { beyondRoot, errorAt, noDirectory, refused, unnamedDirectory } from "./faults.ts";
import { instancesOf } from "./find-instances.ts";
import { namesOf, partKinds } from "./instances.ts";
import { digestOfIncludes, type EarlierSeals } from "./kept-seal.ts";
import { load, type Loaded } from "./load.ts";
import { missingLayers } from "./missing-layers.ts";
import { ownerFaults } from "./naming.ts";
import { ownerText } from "./kinds.ts";
import { askFiles, type RenderSteps } from "./need.ts";
import { conflictsAmong, objectOf, type RenderedObject, tooLargeAmong } from "./objects.ts";
import { type PartKind, readSchemaText, type Schema } from "./schema.ts";
import type { Render } from "./read-settings.ts";
import { seal } from "./seal.ts";
import { type LayerText, renderTexts } from "./templates.ts";

export interface RenderRequest {
  readonly renders: readonly Render[];
  /** Replaces every `spec.directory`. */
  readonly directory?: string;
  /** True if an include that finds nothing fails the run. */
  readonly isStrict: boolean;
  readonly report: Report;
  /** Sealed Secrets of an earlier render: their ciphertext is kept if nothing has changed. */
  readonly earlier: EarlierSeals;
}

/** All objects, or none where anything failed: a pruning pipeline would delete what is left out. */
export function* renderObjects(request: RenderRequest): RenderSteps<readonly RenderedObject[]> {
  const { report } = request;
  let objects: readonly RenderedObject[] = [];
  for (const render of request.renders) objects = objects.concat(yield* renderOne(render, request));
  report.all([...conflictsAmong(objects), ...tooLargeAmong(objects)]);
  return report.failed ? [] : objects;
}

function* renderOne(render: Render, request: RenderRequest): RenderSteps<readonly RenderedObject[]> {
  const { report } = request;
  const root = request.directory ?? render.directory;
  if (root === undefined) report.report(unnamedDirectory(ownerText(render.owner)));
  report.all(ownerFaults(render));
  if (root === undefined) return [];
  const [top] = yield* askFiles([{ root, pieces: [] }]);
  const refusal = top !== undefined && "refused" in top ? top.refused : undefined;
  if (refusal === "no-directory") report.report(noDirectory(ownerText(render.owner), root));
  if (refusal === "beyond-root") report.report(beyondRoot(ownerText(render.owner), root));
  if (refusal === "no-directory" || refusal === "beyond-root") return [];
  const schema = yield* schemaOf(render, root, report);
  if (schema === undefined) return [];
  const instances = yield* instancesOf(render, schema, { ...request, root });
  const loaded = yield* load(instances, report);
  if (!report.failed) report.all(yield* missingLayers(loaded, request.isStrict));
  const reader = new Reader();
  const { texts, failed, included } = yield* renderTexts(loaded, reader, report);
  const composed = composeAll(loaded, texts, failed, { reader, report });
  const secrets = [...composed].map(([each, { secret }]) => ({ loaded: each, composed: secret }));
  const sealing = { earlier: request.earlier, includes: digestOfIncludes(included), report };
  const sealed = report.failed ? new Map() : yield* seal(secrets, sealing);
  return [...composed].flatMap(([each, both]) =>
    partKinds.map((kind) =>
      objectOf(each.instance, kind, both[kind], kind === "secret" ? sealed.get(each) : undefined),
    ),
  );
}

function* schemaOf({ schema }: Render, root: string, report: Report): RenderSteps<Schema | undefined> {
  if ("schema" in schema) return schema.schema;
  const names = namesOf(schema.file);
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
  return readSchemaText(answer.bytes, schema.file, report)?.schema;
}

function schemaFault(file: string, message: string): Diagnostic {
  return errorAt(
    "invalid-schema",
    file,
    message,
    "`spec.schema` is a path in `spec.directory`, or the schema itself",
    "spec.schema",
  );
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
