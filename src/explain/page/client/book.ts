// The explanation as the page has it: read once, targets decoded when they are shown.
import type { ExplainedTarget } from "../../../explanation.ts";
import { decodePaths, decodeTarget } from "../decode.ts";
import type { EncodedPage, EncodedTarget } from "../encoded.ts";
import { claim, layerAddress, stackAddress, targetAddress } from "./addresses.ts";
import { Roles } from "./roles.ts";
import { type HrefOf, hrefsBy } from "./sources.ts";
import { nameOf, titleOf } from "./words.ts";

export interface Book {
  readonly page: EncodedPage;
  readonly paths: readonly (readonly string[])[];
  readonly targets: readonly Chapter[];
  /** Every layer of any target, by name. */
  readonly sources: readonly Source[];
  readonly roles: Roles;
  readonly hrefOf: HrefOf;
}

/** A target in the list. */
export interface Chapter {
  readonly title: string;
  readonly address: string;
  readonly encoded: EncodedTarget;
  readonly stacks: readonly { readonly address: string; readonly rows: string }[];
  /** Of each of its layers: which one that is, and its form. */
  readonly sources: readonly number[];
  readonly forms: readonly number[];
}

/** A layer that several targets may use. */
export interface Source {
  readonly title: string;
  readonly key?: string;
  readonly address: string;
  readonly form: number;
  /** Numbers of the targets. */
  readonly targets: number[];
}

export function open(page: EncodedPage): Book {
  const taken = new Set<string>();
  const sources = new Sources(page, taken);
  const targets = page.targets.map((encoded, index) => chapterOf(encoded, index, sources, taken));
  return {
    page,
    paths: decodePaths(page),
    targets,
    sources: sources.all,
    roles: new Roles(page),
    hrefOf: hrefsBy(page.sources),
  };
}

export function targetOf({ encoded }: Chapter, { page, paths }: Book): ExplainedTarget {
  return decodeTarget(encoded, page, paths);
}

function chapterOf(encoded: EncodedTarget, index: number, sources: Sources, taken: Set<string>): Chapter {
  const address = claim(targetAddress(encoded), taken);
  const layers = encoded.stacks.flatMap((stack) => stack.layers);
  return {
    title: titleOf(encoded),
    address,
    encoded,
    stacks: encoded.stacks.map((stack) => {
      return { address: claim(stackAddress(address, stack), taken), rows: stack.rows };
    }),
    sources: layers.map(([form]) => sources.use(form, encoded, index)),
    forms: layers.map(([form]) => form),
  };
}

class Sources {
  readonly all: Source[] = [];
  private readonly numbers = new Map<string, number>();
  private readonly page: EncodedPage;
  private readonly taken: Set<string>;

  constructor(page: EncodedPage, taken: Set<string>) {
    this.page = page;
    this.taken = taken;
  }

  /** Its number; a layer without a name belongs to one target only. */
  use(form: number, target: EncodedTarget, index: number): number {
    const layer = this.page.layers[form];
    if (layer === undefined) throw new Error(`no layer ${form}`);
    const { kind, namespace, name, key } = layer;
    const owner = name === undefined ? `${index} ${layer.why}` : "";
    const identity = JSON.stringify([kind, namespace, name, key, owner]);
    const known = this.numbers.get(identity);
    if (known !== undefined) {
      const targets = this.all[known]?.targets;
      if (targets?.at(-1) !== index) targets?.push(index);
      return known;
    }
    const title = name === undefined ? `${titleOf(target)}: ${nameOf(layer)}` : titleOf(layer);
    const address = name === undefined ? layerAddress({ ...target, key: layer.why }) : layerAddress(layer);
    this.numbers.set(identity, this.all.length);
    const source = { title, address: claim(address, this.taken), form, targets: [index] };
    return this.all.push(key === undefined ? source : { ...source, key }) - 1;
  }
}
