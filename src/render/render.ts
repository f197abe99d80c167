// Settings → instances → files → texts → values → objects: the table of contents of a render. Pure: files, templates and
// SOPS are requests that the caller answers.
import type { Diagnostic } from "../diagnostic.ts";
import type { Report } from "../report/index.ts";
import { compose } from "./compose.ts";
import { Reader } from "./document.ts";
import { directoryFault, errorAt, refused } from "./faults.ts";
import { instancesOf } from "./find-instances.ts";
import { namesOf, partKinds } from "./instances.ts";
import { digestOfIncludes, type EarlierSeals } from "./kept-seal.ts";
import { load } from "./load.ts";
import { missingLayers } from "./missing-layers.ts";
import { ownerFaults } from "./naming.ts";
import { ownerText } from "./kinds.ts";
import { askFiles, type RenderSteps } from "./need.ts";
import { conflictsAmong, objectOf, type RenderedObject, tooLargeAmong } from "./objects.ts";
import { readSchemaText, type LayoutSchema } from "./schema.ts";
import type { Render } from "./read-settings.ts";
import { seal } from "./seal.ts";
import { renderTexts } from "./templates.ts";

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
  const owner = ownerText(render.owner);
  if (root === undefined) report.report(directoryFault(owner, root, "no-directory"));
  report.all(ownerFaults(render));
  if (root === undefined) return [];
  const [top] = yield* askFiles([{ root, pieces: [] }]);
  const refusal = top !== undefined && "refused" in top ? top.refused : undefined;
  if (refusal === "no-directory" || refusal === "beyond-root") {
    report.report(directoryFault(owner, root, refusal));
    return [];
  }
  const schema = yield* schemaOf(render, root, report);
  if (schema === undefined) return [];
  const instances = yield* instancesOf(render, schema, { ...request, root });
  const loaded = yield* load(instances, report);
  if (!report.failed) report.all(yield* missingLayers(loaded, request.isStrict));
  const reader = new Reader();
  const { texts, failed, included } = yield* renderTexts(loaded, reader, report);
  const composed = loaded
    .filter((each) => !failed.has(each))
    .flatMap((each) => {
      const [configMap, secret] = partKinds.map((kind) => compose(each, kind, { reader, report, texts }));
      return configMap === undefined || secret === undefined ? [] : [{ loaded: each, configMap, secret }];
    });
  const sealing = { earlier: request.earlier, includes: digestOfIncludes(included), report };
  const sealed = report.failed ? new Map() : yield* seal(composed, sealing);
  return composed.flatMap(({ loaded: each, configMap, secret }) => [
    objectOf(each.instance, "configMap", configMap),
    objectOf(each.instance, "secret", secret, sealed.get(each)),
  ]);
}

function* schemaOf({ schema }: Render, root: string, report: Report): RenderSteps<LayoutSchema | undefined> {
  if ("schema" in schema) return schema.schema;
  const names = namesOf(schema.file);
  if (names.includes("..")) {
    report.report(schemaFault(schema.file, "the path leads out of the directory"));
    return undefined;
  }
  const [answer] = yield* askFiles([{ root, pieces: [names] }]);
  if (answer === undefined || "missing" in answer) {
    report.report(schemaFault(schema.file, "the schema does not exist"));
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
