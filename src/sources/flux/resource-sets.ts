// ResourceSets of flux-operator → the objects that they make, as its documentation describes it. What only the cluster or a
// service knows is named.
import { createHash } from "node:crypto";
import { bufferOf } from "../../yaml/index.ts";
import { annotate, decodeStream, encode, isNode, type Item, removeItems } from "../../krm/index.ts";
import type { Diagnostic } from "../../diagnostic.ts";
import { objectId, objectKey, objectText } from "../../object-id.ts";
import type { EntryPart } from "../entry.ts";
import { notBuilt } from "../not-built.ts";
import { fieldIn, holdsSecret, listIn, membersIn, type Placed, textIn } from "../placed.ts";
import type { ObjectPlaces } from "../object-places.ts";
import { type FoundObjects, placedObject } from "../placed-object.ts";
import { type MadeObject, MadePlaces } from "../made-places.ts";
import { type SetFilling, filled, MadeText, type UnmadeText } from "./set-filling.ts";
import { inputsOf, type MissingInputs, mostInputs, type OperatorObject } from "./set-inputs.ts";
import { linesOfText, linesOfValue, type SetLine } from "./set-texts.ts";
import { itemsIn, rootOf } from "../items.ts";
import { distinct } from "../../grouped.ts";

export interface MadeBuild {
  /** `ResourceSet/namespace/name` */
  readonly id: string;
  readonly bytes: Uint8Array;
  readonly origins: MadePlaces;
  readonly unbuilt: readonly Diagnostic[];
  /** What `diff` compares: no file, but what is made. */
  readonly part: EntryPart;
}

const group = "fluxcd.controlplane.io/";
const reconcile = "fluxcd.controlplane.io/reconcile";

export function isResourceSet({ apiVersion, kind }: Item): boolean {
  return apiVersion.startsWith(group) && kind === "ResourceSet";
}

export function isProvider({ apiVersion, kind }: Item): boolean {
  return apiVersion.startsWith(group) && kind === "ResourceSetInputProvider";
}

/** A ResourceSet, or what gives inputs to one. */
export function isOfSets(item: Item): boolean {
  return isResourceSet(item) || isProvider(item);
}

/** All that sets in objects make, where no Kustomization of Flux is followed. */
export async function madeBySets(objects: readonly FoundObjects[]): Promise<readonly MadeBuild[]> {
  const sets = new ResourceSets();
  const all: MadeBuild[] = [];
  const see = ({ bytes, placesOf }: FoundObjects): void => {
    if (bufferOf(bytes).includes(group)) for (const item of itemsIn(bytes)) sets.see(item, placesOf(item));
  };
  objects.forEach(see);
  for (;;) {
    const made = await sets.make(true);
    if (made.length === 0) return all;
    all.push(...made);
    for (const { bytes, origins } of made) see({ bytes, placesOf: () => origins });
  }
}

/** The sets that were seen, and what may give inputs to them. */
export class ResourceSets {
  private readonly waiting = new Map<string, OperatorObject>();
  private readonly seen = new Set<string>();
  private readonly providers: OperatorObject[] = [];
  /** How deep what sets made is: it may be sets. */
  private readonly nested = new Map<string, number>();
  /** The inputs of sets that sets make are bounded, so that they end. */
  private count = 0;

  see(item: Item, places: ObjectPlaces): void {
    if (!isOfSets(item)) return;
    const { apiVersion, kind } = item;
    const id = objectText(item);
    const own = this.seen.has(id) ? undefined : placedObject(item, places);
    if (own === undefined) return;
    this.seen.add(id);
    const object = { ...own, apiVersion, labels: labelsOf(item) };
    if (kind === "ResourceSet") this.waiting.set(id, object);
    else this.providers.push(object);
  }

  /** What is made by the sets whose inputs are all known. @param isLast true to make the others, too, once no such set is left */
  async make(isLast: boolean): Promise<readonly MadeBuild[]> {
    const all = [...this.waiting];
    const ready = all.filter(([, set]) => this.isReady(set));
    const made: MadeBuild[] = [];
    for (const [id, set] of ready.length > 0 || !isLast ? ready : all) {
      this.waiting.delete(id);
      const { objects, ...own } = await this.madeOf(set, id);
      for (const { item } of objects) this.nested.set(objectText(item), (this.nested.get(id) ?? 0) + 1);
      made.push({ id, ...own, origins: new MadePlaces(objects), part: partOf(id, own.bytes) });
    }
    return made;
  }

  private isReady({ spec, namespace }: OperatorObject): boolean {
    return listIn(fieldIn(spec, "inputsFrom")).every((each) => {
      const name = textIn(fieldIn(each, "name"));
      return this.providers.some((one) => one.name === name && one.namespace === namespace);
    });
  }

  private async madeOf(set: OperatorObject, id: string): Promise<MadeOfSet> {
    if (holdsSecret(set.spec)) return nothing([missing(set, "a build fills it with values of a Secret")]);
    if ((this.nested.get(id) ?? 0) > mostNested)
      return nothing([
        { ...missing(set, `sets make it in more than ${mostNested} steps`), severity: "error" },
      ]);
    const found = inputsOf(set, this.providers);
    const size = found === "too many" ? mostInputs : found.inputs.length;
    if (this.nested.has(id)) this.count += size;
    if (found === "too many" || this.count > mostInputs) {
      const reason = `it has more than ${mostInputs.toLocaleString("en")} inputs${this.nested.has(id) ? ", with those of other sets that sets make" : ""}`;
      return nothing([{ ...missing(set, reason), severity: "error" }]);
    }
    const unknown = found.missing.length === 0 ? [] : [lacksInputs(set, found.missing)];
    const { made, faults } = await madeWith(set, found.inputs);
    const unbuilt = [...unknown, ...faults.map((each) => faultOf(set, each))];
    // One template that fails keeps flux-operator from applying any.
    const hasFailed = unbuilt.some(({ severity }) => severity === "error");
    return hasFailed ? nothing(unbuilt) : { bytes: made.bytes, objects: made.objects, unbuilt };
  }
}

/** A set may make itself under another name, again and again. */
const mostNested = 100;

interface MadeOfSet extends MadeObjects {
  readonly unbuilt: readonly Diagnostic[];
}

function nothing(unbuilt: readonly Diagnostic[]): MadeOfSet {
  return { bytes: new Uint8Array(), objects: [], unbuilt };
}

function partOf(id: string, bytes: Uint8Array): EntryPart {
  const text = Buffer.from(bytes).toString("utf8");
  return {
    id,
    definition: createHash("sha256").update(bytes).digest("hex"),
    reads: () => false,
    mentions: (names) => [...names].some((name) => text.includes(name)),
    names: () =>
      itemsIn(bytes).flatMap(({ kind, name }) => (kind === "ConfigMap" || kind === "Secret" ? name : [])),
    targets: () => [],
    mayHave: () => false,
  };
}

function labelsOf(item: Item): Readonly<Record<string, string>> {
  const labels = rootOf(item)?.get("metadata")?.get("labels");
  return Object.fromEntries([...(labels?.entries() ?? [])].map(([key, node]) => [key, node.text]));
}

interface MadeObjects {
  readonly bytes: Uint8Array;
  readonly objects: readonly MadeObject[];
}

async function madeWith(
  { spec }: OperatorObject,
  inputs: readonly SetFilling["input"][],
): Promise<{ readonly made: MadeObjects; readonly faults: readonly UnmadeText[] }> {
  const texts = textsOf(spec);
  const fillings = texts.flatMap((lines) => inputs.map((input) => ({ lines, input })));
  const all = await filled(fillings);
  const faults = all.filter((each): each is UnmadeText => "fault" in each);
  const stream = new MadeStream(annotationsOf(spec));
  for (const each of all) if (each instanceof MadeText) faults.push(...stream.add(each));
  // Inputs fail alike.
  return { made: stream, faults: distinct(faults, ({ fault, at }) => JSON.stringify([fault, at])) };
}

/** What `resources` make comes before what a template makes: of two objects of one name the first counts. */
function textsOf(spec: Placed): readonly (readonly SetLine[])[] {
  const holders = [spec, ...listIn(fieldIn(spec, "steps"))];
  const resources = holders.flatMap((each) => listIn(fieldIn(each, "resources")));
  const templates = holders.flatMap((each) => fieldIn(each, "resourcesTemplate") ?? []);
  return [...resources.map(linesOfValue), ...templates.map((each) => linesOfText(textIn(each) ?? "", each))];
}

/** Labels of `commonMetadata` bear on nothing that is read here. */
function annotationsOf(spec: Placed): Readonly<Record<string, string>> {
  const all = membersIn(fieldIn(spec, "commonMetadata", "annotations"));
  return Object.fromEntries([...all].map(([key, each]) => [key, textIn(each) ?? ""]));
}

/** Objects that were made, each once. */
class MadeStream implements MadeObjects {
  readonly objects: MadeObject[] = [];
  private readonly texts: Uint8Array[] = [];
  private readonly known = new Set<string>();
  private readonly annotations: Readonly<Record<string, string>>;

  constructor(annotations: Readonly<Record<string, string>>) {
    this.annotations = annotations;
  }

  get bytes(): Uint8Array {
    return Buffer.concat(this.texts);
  }

  add(text: MadeText): readonly UnmadeText[] {
    const envelope = decodeStream(text.bytes);
    if (!("items" in envelope)) {
      const { kind, fault } = envelope;
      return kind === "not-a-resource-list" ? [] : [unreadable(fault.message, text, fault.offset)];
    }
    const faults = envelope.items.flatMap((item) => {
      const root = item.read();
      return isNode(root) ? [] : [unreadable(root.message, text, root.offset)];
    });
    if (faults.length > 0) return faults;
    const dropped = new Set(envelope.items.filter((item) => !this.isNew(item)));
    const kept = envelope.items.filter((item) => !dropped.has(item));
    if (kept.length === 0) return [];
    const edits = kept.flatMap((item) => annotate(item, this.annotations));
    this.texts.push(
      ...encode(envelope, [...removeItems(envelope, dropped), ...edits], []),
      Buffer.from("\n---\n"),
    );
    this.objects.push(...kept.map((item) => ({ item, text })));
    return [];
  }

  private isNew(item: Item): boolean {
    const { apiVersion, kind, annotations } = item;
    const id = `${apiVersion} ${objectKey(item)}`;
    if (kind === "" || annotations.get(reconcile) === "disabled" || this.known.has(id)) return false;
    this.known.add(id);
    return true;
  }
}

function unreadable(message: string, text: MadeText, offset = 0): UnmadeText {
  return { fault: `what it makes cannot be read: ${message}`, at: text.placeAt(offset), isUnknown: false };
}

function missing(set: OperatorObject, reason: string, at = set.at): Diagnostic {
  const item = objectId(set);
  const message = `what \`${objectText(item)}\` makes is missing`;
  return { ...notBuilt({ message, item, at }), reason };
}

function lacksInputs(set: OperatorObject, all: readonly MissingInputs[]): Diagnostic {
  const reason = all.map((each) => each.reason).join("; ");
  const [at] = all.map((each) => each.at);
  const file = set.at?.file ?? "FILE";
  return {
    ...missing(set, reason, at ?? set.at),
    message: `inputs of \`${set.kind}/${set.name}\` are not here: what it makes of them is missing`,
    hint: `read it all: flux-operator build rset -f ${file} --inputs-from INPUTS | valuefold explain -`,
  };
}

function faultOf(set: OperatorObject, { fault, at, isUnknown }: UnmadeText): Diagnostic {
  const own = missing(set, fault, at ?? set.at);
  if (!isUnknown) return { ...own, severity: "error" };
  return { ...own, message: `a part of what \`${set.kind}/${set.name}\` makes is missing` };
}
