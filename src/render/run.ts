// The two ways a render is asked for: by a file of settings, for a stream; and as a function, for a resource list.
import { Exit, type Outcome, refuse, told, unreadable } from "../report/outcome.ts";
import { Report, renderDiagnostics } from "../report/report.ts";
import { decodeResourceList, decodeStream } from "../wire/decode.ts";
import { isNode } from "../wire/item.ts";
import type { ReadFault } from "../yaml/fault.ts";
import type { Node } from "../yaml/tape.ts";
import { konfigurationSchema, renderKindOf } from "./kinds.ts";
import { conflictsIn, streamOf, withObjects } from "./list.ts";
import type { RenderSteps } from "./need.ts";
import type { RenderedObject } from "./objects.ts";
import { readRenders } from "./read-settings.ts";
import { renderObjects } from "./render.ts";

export interface StreamRequest {
  /** Documents of our kinds, or of konfigure-operator's. */
  readonly config: Uint8Array;
  /** Stands in for every `spec.directory`. */
  readonly directory?: string;
  readonly isStrict: boolean;
}

/** Renders to a stream; nothing is written where anything failed. */
export function* renderStream({ config, isStrict, ...rest }: StreamRequest): RenderSteps<Outcome> {
  const envelope = decodeStream(config);
  if (!("items" in envelope)) return { ...unreadable(config, envelope), exitCode: Exit.invalidConfig };
  const report = new Report();
  const documents = envelope.items.map((item) => item.read());
  const fault = documents.find((each): each is ReadFault => !isNode(each));
  if (fault !== undefined)
    return { ...unreadable(config, { kind: "input-unreadable", fault }), exitCode: Exit.invalidConfig };
  const read = readRenders(documents.filter(isNode));
  if ("faults" in read) {
    report.all(read.faults);
    return { ...told(report, report.diagnostics), exitCode: Exit.invalidConfig };
  }
  report.all(read.passed);
  const objects = yield* renderObjects({ ...rest, renders: read.renders, isStrict, report });
  const outcome = told(report, report.diagnostics);
  if (report.failed) return outcome;
  return { ...outcome, output: streamOf(objects), account: () => accountOf(objects) };
}

/** Renders into the list that came in; undefined if its function config asks for no render. */
export function* renderList(input: Uint8Array): RenderSteps<Outcome | undefined> {
  const envelope = decodeResourceList(input);
  if (!("items" in envelope) || renderKindOf(envelope.functionConfig) === undefined) return undefined;
  const report = new Report();
  const schemas = envelope.items
    .filter(({ kind }) => kind === konfigurationSchema)
    .map((item) => item.read())
    .filter(isNode)
    .filter((schema) => renderKindOf(schema) !== undefined);
  const config = envelope.functionConfig as Node;
  const read = readRenders([config, ...schemas]);
  if ("faults" in read) return refuse(envelope, read.faults, Exit.invalidConfig);
  const objects = yield* renderObjects({ renders: read.renders, isStrict: false, report });
  report.all(conflictsIn(envelope, objects));
  if (report.failed) return refuse(envelope, report.diagnostics, Exit.faults);
  const { diagnostics } = report;
  const output = withObjects(envelope, objects, diagnostics);
  return { exitCode: Exit.ok, output, messages: renderDiagnostics(diagnostics), diagnostics };
}

function accountOf(objects: readonly RenderedObject[]): string {
  const instances = new Set(objects.map(({ instance }) => instance)).size;
  const noun = instances === 1 ? "instance" : "instances";
  return `rendered ${instances} ${noun}: a ConfigMap and a Secret each\n`;
}
