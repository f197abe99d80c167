// The files of all instances, each read once: optional and required ones, and those that SOPS opens. Values and templates of
// Secrets are opened; other sealed files pass as they are.
import type { Diagnostic } from "../diagnostic.ts";
import { isSopsFile, type SopsFault } from "../layers/index.ts";
import { type KnownRecipients, recipientsOfFile } from "../core/index.ts";
import type { Report } from "../report/index.ts";
import { inInstance, missingPath, notAsked, notOpened, passed, refused } from "./faults.ts";
import { type RenderInstance, type LayerPart, pathText, type Slot, slotsOf } from "./instances.ts";
import { askFiles, askToOpen, type FileAnswer, type RenderSteps } from "./need.ts";

export interface LoadedFile extends LayerPart {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** The recipients it was sealed for; absent if it is plain. */
  readonly sealedFor?: KnownRecipients;
  /** The file's own bytes, if they are sealed: `bytes` are the opened ones. */
  readonly asSealed?: Uint8Array;
}

export interface Loaded {
  readonly instance: RenderInstance;
  readonly files: readonly LoadedFile[];
  readonly hasFailed: boolean;
}

export function fileOf({ files }: Loaded, { layer, part, kind }: LayerPart): LoadedFile | undefined {
  return files.find((file) => file.layer === layer && file.part === part && file.kind === kind);
}

/** All instances of one render. Reports the faults of all, each once. */
export function* load(instances: readonly RenderInstance[], report: Report): RenderSteps<readonly Loaded[]> {
  const planned = instances.map((instance) => ({ instance, slots: slotsOf(instance, report) }));
  const slots = planned.flatMap((each) => each.slots).filter((slot) => slot !== undefined);
  const asks = new Map(slots.map(({ ask }) => [keyOf(ask), ask] as const));
  const answers = yield* askFiles([...asks.values()]);
  const byKey = new Map([...asks.keys()].map((key, index) => [key, answers[index]] as const));
  const answerOf = ({ ask }: Slot): FileAnswer => byKey.get(keyOf(ask)) ?? { refused: "unreadable" };
  const opened = yield* openSealed(slots, answerOf, instances[0]?.render.sops);
  return planned.map(({ instance, slots: own }) => {
    const found = own.map((slot) => slot && fileFor(slot, answerOf(slot), opened, instance));
    const faults = found.filter((each) => each !== undefined && "code" in each);
    const files = found.filter((each) => each !== undefined && "bytes" in each);
    report.all(faults);
    report.all(files.filter(({ kind, bytes }) => kind === "configMap" && isSopsFile(bytes)).map(passed));
    return { instance, files, hasFailed: faults.length > 0 || own.includes(undefined) };
  });
}

function keyOf({ root, pieces }: Slot["ask"]): string {
  return JSON.stringify([root, pieces]);
}

/** By the bytes of a sealed file. */
type OpenedFiles = ReadonlyMap<Uint8Array, Uint8Array | SopsFault>;

function* openSealed(
  slots: readonly Slot[],
  answerOf: (slot: Slot) => FileAnswer,
  sops: RenderInstance["render"]["sops"],
): RenderSteps<OpenedFiles> {
  if (sops === undefined) return new Map();
  const answers = slots.filter(mayOpen).map(answerOf);
  const sealed = new Set(
    answers.flatMap((answer) => ("bytes" in answer && isSopsFile(answer.bytes) ? [answer.bytes] : [])),
  );
  const requests = [...sealed].map(
    (text) => ({ text, input: "yaml", output: "yaml", verified: true }) as const,
  );
  const supply = yield* askToOpen(requests, sops.keys);
  return new Map(
    [...sealed].map((bytes, index) => {
      const outcome = supply[index] ?? { fault: "failed" };
      return [bytes, "text" in outcome ? outcome.text : outcome.fault];
    }),
  );
}

function mayOpen({ kind, part }: LayerPart): boolean {
  return kind === "secret" && part !== "patches";
}

/** Undefined for one that is not there and need not be. */
function fileFor(
  { ask, required, ...part }: Slot,
  answer: FileAnswer,
  opened: OpenedFiles,
  { name }: RenderInstance,
): LoadedFile | Diagnostic | undefined {
  const path = pathText(ask.pieces);
  const place = inInstance(name, part.layer);
  if ("refused" in answer) return refused(path, answer.refused, place);
  if ("missing" in answer) {
    if (required[answer.missing] !== true) return undefined;
    return missingPath(pathText(ask.pieces.slice(0, answer.missing + 1)), place);
  }
  const { bytes } = answer;
  if (!mayOpen(part) || !isSopsFile(bytes)) return { ...part, path, bytes };
  const outcome = opened.get(bytes);
  if (outcome instanceof Uint8Array)
    return { ...part, path, bytes: outcome, sealedFor: recipientsOfFile(bytes), asSealed: bytes };
  return outcome === undefined ? notAsked(path, place) : notOpened(path, place, outcome);
}
