// A release → what Helm's own code makes of it, in the engine. Nothing of it is random, and no cluster is asked.
import { createHash } from "node:crypto";
import { ask, type EngineAnswer } from "../../engine/index.ts";
import { type ChartRelease, givenValues } from "../../explain/index.ts";
import type { Diagnostic } from "../../diagnostic.ts";
import { count } from "../../core/index.ts";
import { notBuilt, passedOver } from "../not-built.ts";

/** A line of a file in a chart. */
export interface TemplateLine {
  readonly file: string;
  /** 1-based. */
  readonly line: number;
}

/** A step is a key, or the number of an element. */
export type EnginePath = readonly (string | number)[];

export interface EngineClaim {
  readonly path: EnginePath;
  readonly how: "carries" | "derived" | "exists" | "absent" | "reads";
}

/** A scalar of an object, or an empty mapping or list. */
export interface EngineLeaf {
  readonly path: EnginePath;
  /** Absent where something of a Secret may be in it. */
  readonly text?: string;
  readonly type: "str" | "int" | "float" | "bool" | "null" | "map" | "seq";
  readonly at?: TemplateLine;
  readonly through?: readonly TemplateLine[];
  readonly action?: string;
  readonly values?: readonly EngineClaim[];
  readonly about?: readonly string[];
}

export interface EngineObject {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly template: string;
  readonly leaves: readonly EngineLeaf[];
  readonly exists?: readonly EngineClaim[];
}

/** Questions about a release, as the engine takes them. */
export type Asked =
  | {
      readonly ask: "blame";
      readonly object: { readonly kind: string; readonly name: string };
      readonly path: EnginePath;
    }
  | { readonly ask: "render" | "upgrade" }
  /** Which values nothing reads, or which of some can go without changing what is rendered. */
  | { readonly ask: "unread"; readonly paths?: readonly (readonly string[])[]; readonly mostRenders?: number }
  /** @param mapping of which only what is there because of it is asked */
  | { readonly ask: "effects"; readonly paths: readonly EnginePath[]; readonly mapping?: EnginePath };

export interface RenderAnswer {
  readonly answer: EngineAnswer | undefined;
  /** What is known of a chart that is not rendered. */
  readonly partly?: EngineAnswer;
  /** True where it took too much: others may do the same. */
  readonly isCut?: true;
  readonly faults: readonly Diagnostic[];
}

const answers = new Map<string, Promise<RenderAnswer>>();
const mostAnswers = 200;
const mostBytes = 50 * 1024 * 1024;

/** What Helm is given, as files of a request. */
export function filesOf(release: ChartRelease, number = ""): ReadonlyMap<string, Uint8Array> {
  const files = [...release.files()].map(([path, { bytes }]) => [`chart${number}/${path}`, bytes] as const);
  return new Map([...files, [`values${number}`, givenValues(release.given).bytes]]);
}

/** How long a chart may take that is rendered unasked: a stranger may have written it. */
const unaskedMs = 10_000;

interface RenderOptions {
  readonly other?: ChartRelease;
  readonly isAsked?: boolean;
  readonly mostMs?: number | undefined;
}

/**
 * Releases of several clusters are mostly alike: each is asked once.
 * @param other what it is compared with, in a question about changes
 * @param isAsked false for a chart that the user does not ask about
 * @param mostMs how long it may take; as long as any question may without
 */
export function rendered(
  release: ChartRelease,
  asked: Asked,
  { other, isAsked = true, mostMs = isAsked ? undefined : unaskedMs }: RenderOptions = {},
): Promise<RenderAnswer> {
  const given = givenValues(release.given);
  const secrets = [...given.secrets, ...(other === undefined ? [] : givenValues(other.given).secrets)];
  const head = { op: "manifests", ...headOf(release), ...asked, secrets };
  const files = new Map([...filesOf(release), ...(other === undefined ? [] : filesOf(other, "2"))]);
  const size = [...files.values()].reduce((sum, { length }) => sum + length, 0);
  if (size > mostBytes) return Promise.resolve(failed(release, "its files have more than 50 MiB"));
  const id = identityOf(head, files);
  const known = answers.get(id);
  if (known !== undefined) return known;
  const [oldest] = answers.keys();
  if (answers.size >= mostAnswers && oldest !== undefined) answers.delete(oldest);
  const answer = ask({ ...head, files }, mostMs).then((each): RenderAnswer =>
    each.cut === undefined
      ? read(each, release, secrets.length > 0)
      : { ...failed(release, "it takes too long, or too much memory"), isCut: true },
  );
  answers.set(id, answer);
  return answer;
}

/** True if a schema refers to another host: what it asks for there is not known, and any value is taken. */
export function isReferring(answer: EngineAnswer | undefined): boolean {
  return answer?.["refers"] === true;
}

/** How Helm is run. */
export function headOf(release: ChartRelease): object {
  const { name, namespace, helm, kubeVersion, apiVersions = [], clusterApis } = release;
  return { helm, release: name, namespace, kubeVersion, apiVersions: [...apiVersions, ...clusterApis] };
}

/** What a chart asks the cluster for, and nothing here names: objects that it makes for these are missing. */
export function lackingApis({ answer }: RenderAnswer, { shown }: ChartRelease): readonly Diagnostic[] {
  const apis = (answer?.["apis"] ?? []) as readonly string[];
  if (apis.length === 0) return [];
  const all = `${count(apis.length, "API")}: ${apis.join(", ")}`;
  return [passedOver(`the chart \`${shown}\` is rendered without ${all}`, lackingHint)];
}

const lackingHint =
  "if the cluster has such an API, name it in `.valuefold.yaml`: `spec.checkout.apiVersions`";

export function isOfLackingApis({ hint }: Diagnostic): boolean {
  return hint === lackingHint;
}

export function identityOf(head: object, files: ReadonlyMap<string, Uint8Array>): string {
  const hash = createHash("sha256").update(JSON.stringify(head));
  for (const [path, bytes] of files) hash.update(`\0${path}\0${bytes.length}\0`).update(bytes);
  return hash.digest("hex");
}

function read(answer: EngineAnswer, release: ChartRelease, isSecret: boolean): RenderAnswer {
  const { error } = answer;
  return error === undefined
    ? { answer, faults: [] }
    : { ...failed(release, reasonIn(error, isSecret)), partly: answer };
}

/**
 * What a template says as it fails may quote a value: where there are some of Secrets, only the place is shown. Each include adds
 * a place of its own in front: the last one is where it fails.
 */
export function reasonIn(error: string, isSecret: boolean): string {
  const lines = error.split("\n").map((line) => line.trim());
  const own = lines
    .slice(
      Math.max(
        lines.findLastIndex((line) => /^\S+:\d+:\d+$/.test(line)),
        0,
      ),
    )
    .join(" ");
  if (!isSecret) return own.slice(Math.max(own.lastIndexOf("template: "), 0));
  const [, place] = /(?:^|\(|template: )([^()\s]+:\d+:\d+)/.exec(own) ?? [];
  return place === undefined ? "its reason may hold a value of a Secret" : `at ${place}`;
}

function failed({ shown }: ChartRelease, why: string): RenderAnswer {
  const message = `Helm cannot render the chart \`${shown}\``;
  const fault = notBuilt({ message, at: { text: shown, isFile: true } });
  return { answer: undefined, faults: [{ ...fault, severity: "error", reason: why }] };
}
