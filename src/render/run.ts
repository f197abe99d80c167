// The two ways to start a render: with a file of settings, for a stream; and as a function, for a resource list.
import { decodeResourceList, decodeStream, isNode, type WireFault } from "../krm/index.ts";
import { Exit, type Outcome, refuse, Report, reported, unreadable } from "../report/index.ts";
import { lineAndColumn, type Node, type ReadFault } from "../yaml/index.ts";
import { konfigurationSchema, renderKindOf } from "./kinds.ts";
import { EarlierSeals } from "./kept-seal.ts";
import { conflictsIn, staleIn, streamOf, withObjects } from "./list.ts";
import type { RenderSteps } from "./need.ts";
import type { RenderedObject } from "./objects.ts";
import { readRenders } from "./read-settings.ts";
import { renderObjects } from "./render.ts";
import { writeARender } from "./settings-faults.ts";
import { errorAt } from "./faults.ts";

export interface StreamRequest {
  /** Documents of our kinds, or of konfigure-operator's. */
  readonly config: Uint8Array;
  /** As messages name them. */
  readonly name: string;
  /** Replaces every `spec.directory`. */
  readonly directory?: string;
  readonly isStrict: boolean;
  /** The output of an earlier render. */
  readonly previous?: Uint8Array;
}

/** Renders to a stream; nothing is written where anything failed. */
export function* renderStream({
  config,
  name,
  isStrict,
  previous,
  ...rest
}: StreamRequest): RenderSteps<Outcome> {
  const envelope = decodeStream(config);
  if (!("items" in envelope)) return unread(config, name, envelope);
  const report = new Report();
  const documents = envelope.items.map((item) => item.read());
  const fault = documents.find((each): each is ReadFault => !isNode(each));
  if (fault !== undefined) return unread(config, name, { kind: "input-unreadable", fault });
  const renders = readRenders(documents.filter(isNode), report);
  if (renders === undefined) return { ...reported(report, report.diagnostics), exitCode: Exit.invalidConfig };
  const before = previous === undefined ? { items: [] } : decodeStream(previous);
  if (!("items" in before)) return unreadable(previous ?? config, before, [{ start: 0, name: "--previous" }]);
  const earlier = new EarlierSeals(before.items);
  const objects = yield* renderObjects({ ...rest, renders, isStrict, report, earlier });
  const outcome = reported(report, report.diagnostics);
  if (report.failed) return outcome;
  return { ...outcome, output: streamOf(objects), account: () => ({ text: accountOf(objects) }) };
}

function unread(config: Uint8Array, name: string, { kind, fault }: WireFault): Outcome {
  const isEmpty = kind === "not-a-resource-list";
  const report = new Report();
  report.report(
    errorAt(
      "invalid-setting",
      { text: name, ...lineAndColumn(config, fault.offset ?? 0) },
      isEmpty ? "the settings are empty" : fault.message,
      isEmpty ? writeARender : "correct the YAML of the settings",
    ),
  );
  return { ...reported(report, report.diagnostics), exitCode: Exit.invalidConfig };
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
  const renders = readRenders([config, ...schemas], report);
  if (renders === undefined) return refuse(envelope, report.diagnostics, Exit.invalidConfig);
  const earlier = new EarlierSeals(envelope.items);
  const objects = yield* renderObjects({ renders, isStrict: false, report, earlier });
  report.all(conflictsIn(envelope, objects));
  if (report.failed) return refuse(envelope, report.diagnostics, Exit.faults);
  report.all(staleIn(envelope, renders, objects));
  const { diagnostics } = report;
  const output = withObjects(envelope, objects, diagnostics);
  return { exitCode: Exit.ok, output, diagnostics };
}

function accountOf(objects: readonly RenderedObject[]): string {
  const instances = new Set(objects.map(({ instance }) => instance)).size;
  const noun = instances === 1 ? "instance" : "instances";
  return `rendered ${instances} ${noun}: a ConfigMap and a Secret each\n`;
}
