// Kustomizations over what a chart makes → the objects as the cluster has them. kustomize builds the text as it is, with tags that
// say which object is which, and with marks in place of its values.
import { join } from "node:path";
import { annotate, decodeStream, encode, type Item, Mark } from "../../krm/index.ts";
import type { ChartPatches, HelmText, PatchedChart, PatchedObject } from "../../explain/index.ts";
import { objectId } from "../../object-id.ts";
import type { Node } from "../../yaml/index.ts";
import { copiedFiles, type CopiedFiles, copyOf, mayFetch } from "./copy.ts";
import { markedText } from "./documents.ts";
import { markedCopy } from "./marked-copy.ts";
import { builtOf, isPatch, Marks, type SourceDocument } from "./marks.ts";
import { type PatchStep, stepsOf } from "./patch-steps.ts";
import { elementKeys, PatchedFields } from "./patched-fields.ts";
import { BuildCut, inEngine } from "./runs.ts";
import { functionsIn, type KustomizationTree } from "./tree.ts";
import { itemsIn, rootOf } from "../items.ts";
import { remembered } from "../../remembered.ts";

/** A kustomization over a text, or over what the one before it makes. */
export interface PatchStage {
  readonly tree: KustomizationTree;
  /** Which of its directories has the text as a resource. */
  readonly directory: string;
  /** How a file is named in places. */
  readonly shown: (path: string) => string;
  /** What the objects have for kustomize alone. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** What it changes, where no file of a kustomization has it. */
  readonly steps?: readonly PatchStep[];
}

/** @param shown what messages name @param stages those of the text, in their order; undefined where they are not known */
export function chartPatches(shown: string, stages: () => readonly PatchStage[] | undefined): ChartPatches {
  return { shown, patched: async (made) => patchedBy(stages(), made) };
}

async function patchedBy(
  stages: readonly PatchStage[] | undefined,
  made: HelmText,
): Promise<PatchedChart | undefined> {
  if (stages === undefined) return undefined;
  try {
    return await new StagedBuild(stages, made).built();
  } catch (error) {
    // What is stopped is not known.
    if (error instanceof BuildCut) return undefined;
    throw error;
  }
}

/** A name that no file of a kustomization has. */
const fileName = "valuefold-chart.yaml";

/** The objects of a build by their numbers in the text. */
type TaggedItems = ReadonlyMap<number, Item>;

class StagedBuild {
  private readonly stages: readonly PatchStage[];
  private readonly made: HelmText;
  private readonly tags = new Marks(undefined);
  private readonly marks = new Marks(() => [[]], isKept);
  private readonly tried = new Map<string, Promise<TaggedItems | undefined>>();
  private readonly steps: readonly PatchStep[];
  private tagged = "";
  private own: readonly Item[] = [];

  constructor(stages: readonly PatchStage[], made: HelmText) {
    this.stages = stages;
    this.made = made;
    this.steps = stages.flatMap((each) => each.steps ?? stepsOf(each.tree, each.shown));
  }

  async built(): Promise<PatchedChart | undefined> {
    const { made, marks, tags } = this;
    this.own = itemsIn(made.bytes);
    const [tagged, marked] = [tags, marks].map((each) => markedText(made, "resource", each)?.text);
    if (tagged === undefined || marked === undefined) return undefined;
    this.tagged = tagged;
    const [plain, ofTags] = [await this.run(made.bytes), await this.run(tagged)];
    const ofMarks = await this.run(marked, { marks });
    if (plain === undefined || ofTags === undefined || ofMarks === undefined) return undefined;
    const [items, there] = [itemsIn(plain), itemsIn(ofTags)];
    if (items.length !== there.length) return undefined;
    const byNumber = this.byNumber(itemsIn(builtOf(ofMarks)));
    const numbers = new Map([...this.byNumber(there)].map(([number, item]) => [item, number]));
    const objects = items.flatMap((item, index): readonly PatchedObject[] => {
      const other = there[index];
      const number = other && numbers.get(other);
      return number === undefined ? [] : [this.object(item, number, byNumber.get(number))];
    });
    const left = new Set(objects.map(({ number }) => number));
    const isSecret = this.steps.some((each) => each.isSecret === true);
    return {
      objects,
      isSecret,
      takenBy: async (number) => (left.has(number) ? undefined : this.takenBy(number)),
    };
  }

  private object(item: Item, number: number, marked: Item | undefined): PatchedObject {
    const fields: PatchedObject["fields"] = async (isAsked) => {
      const own = this.own[number];
      const [node, original] = [item, own].map(rootOf);
      if (node === undefined || original === undefined) return [];
      const { marks } = this;
      const found = new PatchedFields({
        number,
        node,
        original,
        marked: rootOf(marked),
        marks,
        patches: marked === undefined ? [] : marks.documentsOf(marked.annotations).filter(isPatch),
      });
      await found.settle(isAsked, this.steps, async (steps) => {
        return rootOf((await this.without(steps))?.get(number));
      });
      return found.all();
    };
    return { ...objectId(item), number, fields };
  }

  /** The topmost step without which the object is there. */
  private async takenBy(number: number): Promise<PatchStep["at"] | undefined> {
    for (const step of this.steps.toReversed())
      if ((await this.without([step]))?.has(number) === true) return step.at;
    return undefined;
  }

  /** What is built without some steps, with tags. */
  private without(steps: readonly PatchStep[]): Promise<TaggedItems | undefined> {
    const id = steps.map((each) => this.steps.indexOf(each)).join(" ");
    return remembered(this.tried, id, async () => {
      const built = await this.run(this.tagged, { steps });
      return built && this.byNumber(itemsIn(built));
    });
  }

  /** An object may lose its tag, as an operation sets all annotations: it is the only one of its kind without, then. */
  private byNumber(items: readonly Item[]): TaggedItems {
    const found = new Map<number, Item>();
    const others: Item[] = [];
    for (const item of items) {
      const number = this.tags.resourceOf(item.annotations);
      if (number !== undefined) found.set(number, item);
      else if (!isOfOther(item)) others.push(item);
    }
    const lost = [...this.own.entries()].filter(([number]) => !found.has(number));
    for (const [number, own] of lost) {
      const alike = others.filter((each) => kindOf(each) === kindOf(own));
      const named = alike.filter(({ name }) => name === own.name);
      const isOnly = lost.filter(([, each]) => kindOf(each) === kindOf(own)).length === 1;
      const [only, second] = named.length > 0 || !isOnly ? named : alike;
      if (only !== undefined && second === undefined) found.set(number, only);
    }
    return found;
  }

  /** All stages; undefined where kustomize refuses one. */
  private async run(
    text: Uint8Array | string,
    how: { readonly marks?: Marks; readonly steps?: readonly PatchStep[] } = {},
  ): Promise<Uint8Array | undefined> {
    let bytes: Uint8Array = Buffer.from(text);
    for (const stage of this.stages) {
      const files = filesOf(stage, annotated(bytes, stage.annotations), how);
      const { top } = stage.tree;
      if (files === undefined || top === undefined) return undefined;
      // Patches may be for the objects of other charts.
      const ran = await inEngine(top.directory, files, true);
      if (!("output" in ran)) return undefined;
      bytes = ran.output;
    }
    return bytes;
  }
}

function annotated(bytes: Uint8Array, annotations: PatchStage["annotations"]): Buffer {
  const envelope = decodeStream(bytes);
  if (annotations === undefined || !("items" in envelope)) return Buffer.from(bytes);
  return Buffer.concat(
    encode(
      envelope,
      envelope.items.flatMap((item) => annotate(item, annotations)),
      [],
    ),
  );
}

function filesOf(
  { tree, directory, shown }: PatchStage,
  bytes: Buffer,
  { marks, steps = [] }: { readonly marks?: Marks; readonly steps?: readonly PatchStep[] },
): CopiedFiles | undefined {
  if (functionsIn(tree).some((each) => !each.isFold && (each.runsAs !== "builtin" || mayFetch(each))))
    return undefined;
  const options = {
    isLeftOut: ({ isFold }: { readonly isFold: boolean }) => isFold,
    isLocal: true,
    added: { directory, name: fileName },
  };
  const whole = copyOf(tree, options);
  const copy = whole && steps.reduceRight((rest, each) => each.without(rest), whole);
  const path = join(directory, fileName);
  if (copy === undefined || marks === undefined) return copy && copiedFiles(copy, new Map([[path, bytes]]));
  const given = new Map([[path, bytes.toString("utf8")]]);
  return markedCopy(copy, { ...options, marks, overlay: tree.overlay, shown, given }).files;
}

/** True for what kustomize knows to be of another file. */
function isOfOther(item: Item): boolean {
  const origin = rootOf(item)?.get("metadata")?.get("annotations")?.textAt(Mark.origin);
  // What lost its annotations is of the transformer that took them.
  return origin !== undefined && /^path: |Generator$/m.test(origin) && !origin.includes(fileName);
}

function kindOf({ apiVersion, kind }: Item): string {
  return `${apiVersion} ${kind}`;
}

/** True for what says which object, or which element, a part is; and for what is empty: an element or a key is not. */
function isKept({ role }: SourceDocument, node: Node): boolean {
  const { parent, value } = node;
  if (!value.isScalar) return value.children().length === 0;
  if (parent?.parent?.isSequence === true) return elementKeys.has(node.key);
  const path = keysTo(node).join(" ");
  // Patches select by labels.
  return namePaths.has(path) || (role === "resource" && path.startsWith("metadata labels "));
}

const namePaths: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata name", "metadata namespace"]);

/** Elements of lists have no keys. */
function keysTo(node: Node): readonly string[] {
  const { parent } = node;
  return parent === undefined ? [] : [...keysTo(parent), parent.isMapping ? node.key : "-"];
}
