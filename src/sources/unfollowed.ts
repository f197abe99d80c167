// What a checkout has that nothing here follows: helmfiles, charts whose templates make targets, and objects of flux-operator.
// Each is named once, with a way to an answer.
import { basename, dirname } from "node:path";
import { positionOf } from "../explain/index.ts";
import { type Diagnostic, formatItem } from "../diagnostic.ts";
import type { Place } from "../explanation.ts";
import { isNode, type Item } from "../krm/index.ts";
import { readFile } from "./disk.ts";
import { madeBy, madeFault } from "./helm/made-targets.ts";
import { notBuilt } from "./not-built.ts";
import { lineIndex } from "../yaml/index.ts";
import { type FoundObjects, itemsIn, placesInFile } from "./placed-object.ts";

/** A file or a directory in a checkout. */
export interface Unfollowed {
  readonly kind: "helmfile" | "chart" | "objects";
  /** A real path. */
  readonly path: string;
}

/** What reports one. @param shown how its path is named */
export function unfollowedFaults({ kind, path }: Unfollowed, shown: string): readonly Diagnostic[] {
  if (kind === "objects") return operatorFaults([inFile(path, shown)]);
  const at = { text: shown, isFile: true } as const;
  if (kind === "chart") {
    const made = madeBy(path);
    return made === undefined ? [] : [{ ...madeFault(shown, made), at }];
  }
  const flag = basename(shown) === shown ? "" : ` -f ${shown}`;
  const message = `\`${shown}\` is not followed`;
  const reason = "helmfile is not run: what it deploys is missing";
  const hint = `helmfile${flag} template | valuefold explain -; or name its values files, the lowest first`;
  return [{ ...notBuilt({ message, hint, at }), reason }];
}

function inFile(path: string, shown: string): FoundObjects {
  const bytes = readFile(path);
  const placed = lineIndex(bytes);
  const placeAt = (offset: number): Place => ({ of: "file", file: shown, ...placed(offset) });
  return { bytes, placesOf: (item) => placesInFile(item, placeAt) };
}

export function isHelmfile(name: string): boolean {
  return /^helmfile\.(?:d|ya?ml(?:\.gotmpl)?)$/.test(name);
}

const operatorGroup = "fluxcd.controlplane.io/";

function mayHaveOperatorObjects(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(operatorGroup);
}

/** An object that makes others in the cluster: a ResourceSet. */
export function isOperatorObject(item: Item): boolean {
  return item.apiVersion.startsWith(operatorGroup) && item.kind === "ResourceSet";
}

/** What objects of flux-operator make is missing. */
export function operatorFaults(found: readonly FoundObjects[]): readonly Diagnostic[] {
  return found
    .filter(({ bytes }) => mayHaveOperatorObjects(bytes))
    .flatMap(({ bytes, placesOf }) =>
      itemsIn(bytes)
        .filter(isOperatorObject)
        .map((item) => operatorFault(item, placesOf(item).item)),
    );
}

function operatorFault(item: Item, place: Place | undefined): Diagnostic {
  const { kind, name, namespace } = item;
  const own = { kind, name, ...(namespace === undefined ? {} : { namespace }) };
  const hint =
    kind === "ResourceSet"
      ? `read what it makes: flux-operator build resourceset -f ${place?.file ?? "FILE"} | valuefold explain -`
      : `name what it syncs: valuefold explain ${syncPathOf(item) || "DIRECTORY"}`;
  const message = `\`${formatItem(own)}\` is not followed`;
  const reason = "flux-operator is not run: what it makes of it is missing";
  return { ...notBuilt({ message, hint, item: own, ...(place && { at: positionOf(place) }) }), reason };
}

/** The directory that a FluxInstance names; undefined without a `spec.sync`. */
function syncPathOf(item: Item): string | undefined {
  const root = item.read();
  const sync = isNode(root) ? root.get("spec")?.get("sync") : undefined;
  return sync?.isMapping === true ? (sync.textAt("path") ?? "") : undefined;
}

/** Without those below another: a helmfile includes them. */
export function topmost(all: readonly Unfollowed[]): readonly Unfollowed[] {
  const folders = all.filter(({ kind }) => kind === "helmfile").map(({ path }) => `${dirname(path)}/`);
  const isBelow = ({ path }: Unfollowed): boolean =>
    folders.some((each) => path.startsWith(each) && `${dirname(path)}/` !== each);
  return all.filter((each) => each.kind !== "helmfile" || !isBelow(each));
}
