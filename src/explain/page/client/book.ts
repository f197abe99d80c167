// The explanation as the page has it: every target, and every layer of any target, with its address.
import type { ExplainedLayer, ExplainedTarget, Explanation } from "../../../explanation.ts";
import type { FileLinks } from "../links.ts";
import { claim, layerAddress, stackAddress, targetAddress } from "./addresses.ts";
import { type LookOf, looksIn } from "./looks.ts";
import { type HrefOf, hrefsBy } from "./sources.ts";
import { nameOf, titleOf } from "./words.ts";

/** A target in the list. */
export interface Chapter {
  readonly title: string;
  readonly within?: { readonly name: string; readonly as: string };
  readonly address: string;
  readonly target: ExplainedTarget;
  /** Addresses of its stacks. */
  readonly stacks: readonly string[];
  /** Of each of its layers, by id: which one that is. */
  readonly sources: ReadonlyMap<string, SharedLayer>;
  readonly layers: ReadonlyMap<string, ExplainedLayer>;
}

/** A layer that several targets may use. */
export interface SharedLayer {
  readonly title: string;
  readonly key?: string;
  readonly address: string;
  readonly look: string;
  /** As its first target has it. */
  readonly layer: ExplainedLayer;
  readonly chapters: Chapter[];
}

export class Book {
  readonly targets: readonly Chapter[];
  /** Every layer of any target, by name. */
  readonly sources: readonly SharedLayer[];
  readonly lookOf: LookOf;
  readonly hrefOf: HrefOf;
  private readonly byIdentity = new Map<string, SharedLayer>();
  private readonly taken = new Set<string>();

  constructor({ targets }: Explanation, links?: FileLinks) {
    this.lookOf = looksIn(targets);
    this.hrefOf = hrefsBy(links);
    const builds = new Map<string, number>();
    for (const target of targets) {
      const name = titleOf({ ...target, build: undefined });
      builds.set(name, (builds.get(name) ?? 0) + 1);
    }
    this.targets = targets.map((target) => this.chapterOf(target, builds));
    this.sources = [...this.byIdentity.values()];
  }

  /** @param builds how many builds have each target */
  private chapterOf(target: ExplainedTarget, builds: ReadonlyMap<string, number>): Chapter {
    const { build } = target;
    const name = titleOf({ ...target, build: undefined });
    const isOneOfMany = build !== undefined && (builds.get(name) ?? 0) > 1;
    const within = isOneOfMany ? { within: { name, as: build } } : {};
    const address = claim(targetAddress(target), this.taken);
    const stacks = target.stacks.map((stack) => claim(stackAddress(address, stack), this.taken));
    const sources = new Map<string, SharedLayer>();
    const layers = new Map(target.stacks.flatMap((stack) => stack.layers.map((layer) => [layer.id, layer])));
    const chapter = { title: titleOf(target), ...within, address, target, stacks, sources, layers };
    for (const [id, layer] of layers) {
      const source = this.sourceOf(layer, chapter);
      sources.set(id, source);
      if (source.chapters.at(-1) !== chapter) source.chapters.push(chapter);
    }
    return chapter;
  }

  /** A layer without a name belongs to one target only. */
  private sourceOf(layer: ExplainedLayer, { title, address, target }: Chapter): SharedLayer {
    const { kind, namespace, name, key, why } = layer;
    const identity = JSON.stringify([kind, namespace, name, key, name === undefined ? [address, why] : []]);
    const known = this.byIdentity.get(identity);
    if (known !== undefined) return known;
    const named =
      name === undefined
        ? { title: `${title}: ${nameOf(layer)}`, address: layerAddress({ ...target, key: why }) }
        : { title: titleOf(layer), address: layerAddress(layer) };
    const source = {
      ...named,
      address: claim(named.address, this.taken),
      look: this.lookOf(layer),
      layer,
      chapters: [],
      ...(key === undefined ? {} : { key }),
    };
    this.byIdentity.set(identity, source);
    return source;
  }
}
