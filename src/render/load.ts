// The files of all instances, each read once: optional and required ones, and those that SOPS opens. Values and templates of
// Secrets are opened; other sealed files pass as they are.
import type { Diagnostic } from "../diagnostic.ts";
import {
  isSopsFile,
  type KnownRecipients,
  recipientsOfFile,
  type Report,
  type SopsFault,
} from "../core/index.ts";
import { type Instance, pathText, type Slot, slotsOf } from "./instances.ts";
import { inInstance, missingPath, notAsked, notOpened, passed, refused } from "./faults.ts";
import { askFiles, askToOpen, type FileAnswer, type RenderSteps } from "./need.ts";

export interface LoadedFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** The recipients it was sealed for; absent if it is plain. */
  readonly sealedFor?: KnownRecipients;
  /** The file's own bytes, if they are sealed: `bytes` are the opened ones. */
  readonly asSealed?: Uint8Array;
}

/** The files that one instance has. */
export type Files = ReadonlyMap<Slot, LoadedFile>;

export interface Loaded {
  readonly instance: Instance;
  readonly files: Files;
  readonly hasFailed: boolean;
}

/** Reports the faults of all instances, each once. */
export function* load(instances: readonly Instance[], report: Report): RenderSteps<readonly Loaded[]> {
  const planned = instances.map((instance) => ({ instance, ...slotsOf(instance) }));
  const asks = new Map(planned.flatMap(({ slots }) => slots.map(({ ask }) => [keyOf(ask), ask] as const)));
  const answers = yield* askFiles([...asks.values()]);
  const byKey = new Map([...asks.keys()].map((key, index) => [key, answers[index]] as const));
  const opened = yield* openSealed(planned.flatMap((each) => sealedIn(each, byKey)));
  return planned.map(({ instance, slots, faults }) => {
    report.all(faults);
    const files = new Map<Slot, LoadedFile>();
    let hasFailed = faults.length > 0;
    for (const slot of slots) {
      const found = fileFor(slot, byKey.get(keyOf(slot.ask)), opened, instance);
      if (found === undefined) continue;
      if ("bytes" in found) files.set(slot, found);
      else report.report(found);
      hasFailed ||= !("bytes" in found);
      if ("bytes" in found && slot.kind === "configMap" && isSopsFile(found.bytes))
        report.report(passed(found));
    }
    return { instance, files, hasFailed };
  });
}

function keyOf({ root, pieces }: Slot["ask"]): string {
  return JSON.stringify([root, pieces]);
}

interface SealedFile {
  readonly key: string;
  readonly bytes: Uint8Array;
  readonly keys: string | undefined;
}

type OpenedFiles = ReadonlyMap<string, Uint8Array | SopsFault>;

function mayOpen({ kind, part }: Slot): boolean {
  return kind === "secret" && part !== "patches";
}

function sealedIn(
  { instance, slots }: { readonly instance: Instance; readonly slots: readonly Slot[] },
  answers: ReadonlyMap<string, FileAnswer | undefined>,
): SealedFile[] {
  const { sops } = instance.render;
  if (sops === undefined) return [];
  return slots.filter(mayOpen).flatMap(({ ask }) => {
    const answer = answers.get(keyOf(ask));
    if (answer === undefined || !("bytes" in answer) || !isSopsFile(answer.bytes)) return [];
    return [{ key: keyOf(ask), bytes: answer.bytes, keys: sops.keys }];
  });
}

function* openSealed(sealed: readonly SealedFile[]): RenderSteps<OpenedFiles> {
  const opened = new Map<string, Uint8Array | SopsFault>();
  const folders = new Set(sealed.map(({ keys }) => keys));
  for (const folder of folders) {
    const all = [
      ...new Map(sealed.filter(({ keys }) => keys === folder).map((each) => [each.key, each])).values(),
    ];
    const requests = all.map(({ bytes: text }) => {
      return { text, input: "yaml", output: "yaml", verified: true } as const;
    });
    const supply = yield* askToOpen(requests, folder);
    for (const [index, { key }] of all.entries()) {
      const outcome = supply[index] ?? { fault: "failed" };
      opened.set(key, "text" in outcome ? outcome.text : outcome.fault);
    }
  }
  return opened;
}

function fileFor(
  slot: Slot,
  answer: FileAnswer | undefined,
  opened: OpenedFiles,
  { name }: Instance,
): LoadedFile | Diagnostic | undefined {
  const { ask, required, layer } = slot;
  const path = pathText(ask.pieces);
  const place = inInstance(name, layer.id);
  if (answer === undefined || "refused" in answer)
    return refused(path, answer?.refused ?? "unreadable", place);
  if ("missing" in answer) {
    if (required[answer.missing] !== true) return undefined;
    return missingPath(pathText(ask.pieces.slice(0, answer.missing + 1)), place);
  }
  const { bytes } = answer;
  if (!mayOpen(slot) || !isSopsFile(bytes)) return { path, bytes };
  const outcome = opened.get(keyOf(ask));
  if (outcome instanceof Uint8Array)
    return { path, bytes: outcome, sealedFor: recipientsOfFile(bytes), asSealed: bytes };
  return outcome === undefined ? notAsked(path, place) : notOpened(path, place, outcome);
}
