// The variables of Kustomizations of Flux: written in them, or in ConfigMaps that were built. Those of Secrets are never read.
import type { Item } from "../../krm/index.ts";
import type { ObjectPlaces } from "../object-places.ts";
import type { FluxKustomization, VariableSource } from "./kustomization.ts";
import type { Lookup } from "./substitution.ts";
import { slipOf } from "../../diagnostic.ts";
import { objectKey, objectText } from "../../object-id.ts";
import type { BuildContent } from "../build-content.ts";
import { rootOf } from "../items.ts";
import { remembered } from "../../remembered.ts";

export interface BuiltObject {
  /** True for what a ResourceSet makes: it may be a copy of another object. */
  readonly isMade: boolean;
  readonly item: Item;
  readonly origins: ObjectPlaces;
}

/** A Kustomization that is not built yet. */
interface Unbuilt {
  readonly kustomization: FluxKustomization;
  readonly content: Pick<BuildContent, "mayMake">;
}

export class ClusterVariables {
  /** Variables that were asked for, and that only the cluster has. */
  readonly unknown = new Set<string>();
  private readonly byName: ReadonlyMap<string, BuiltObject>;

  /** @param byName what is built so far, and later */
  constructor(byName: ReadonlyMap<string, BuiltObject>) {
    this.byName = byName;
  }

  /** Those that have all that is built of them later; else those that lack Secrets only, which may be in the cluster. */
  ready<T extends Unbuilt>(wanted: readonly T[], waiting: readonly T[]): readonly T[] {
    const makers = new Map<string, readonly T[]>();
    const makersOf = (made: string): readonly T[] =>
      remembered(makers, made, () => waiting.filter(({ content }) => content.mayMake(made)));
    const isComplete = (each: T): boolean =>
      !this.missingOf(each.kustomization).some(({ name }) => makersOf(name).some((other) => other !== each));
    // A ConfigMap may come of what no file shows, such as a ResourceSet.
    const known = wanted.filter((each) =>
      this.missingOf(each.kustomization).every(({ kind }) => kind === "Secret"),
    );
    const complete = known.filter(isComplete);
    return complete.length > 0 ? complete : known;
  }

  /** The objects with some of them that are not built. */
  missingOf({ variableSources }: FluxKustomization): readonly VariableSource[] {
    return variableSources
      .map((each) => this.copiedFrom(each))
      .filter((each) => !this.byName.has(objectKey(each)));
  }

  /** Where its data are, if it is a copy. */
  private copiedFrom(object: VariableSource, most = mostCopies): VariableSource {
    const { item, isMade = false } = this.byName.get(objectKey(object)) ?? {};
    const copied = isMade ? item?.annotations.get(copyAnnotation) : undefined;
    const [namespace = "", name = ""] = copied?.split("/") ?? [];
    return name === "" || most === 0 ? object : this.copiedFrom({ ...object, namespace, name }, most - 1);
  }

  /**
   * Undefined without variables: Flux replaces nothing then.
   * @param onSlip called with a variable that is not set, and with one that is, of nearly its name
   */
  lookupFor(
    kustomization: FluxKustomization,
    onSlip: (name: string, meant: string) => void,
  ): Lookup | undefined {
    const { variables, variableSources, isAlwaysSubstituted } = kustomization;
    if (variables.size + variableSources.length === 0 && !isAlwaysSubstituted) return undefined;
    const sources = variableSources.map((each) => this.sourceAt(each)).toReversed();
    return {
      find: (name) => variables.get(name) ?? foundIn(sources, name, kustomization),
      missed: (name) => this.unknown.add(name),
      unset: (name) => {
        const meant = slipOf(name, variables.keys());
        if (meant !== undefined) onSlip(name, meant);
      },
    };
  }

  private sourceAt(named: VariableSource): Source {
    const object = this.copiedFrom(named);
    const found = this.byName.get(objectKey(object));
    const root = rootOf(found?.item);
    if (found === undefined || root === undefined) return { object };
    const fields = object.kind === "Secret" ? ["data", "stringData"] : ["data"];
    const entries = new Map(fields.flatMap((field) => [...(root.get(field)?.entries() ?? [])]));
    const { item, origins } = found;
    const taken = origins.takenKeys(item);
    const lookup: Find = (name) => {
      const node = entries.get(name);
      if (node === undefined) return "unset";
      if (object.kind === "Secret" || taken.includes(name))
        return {
          name,
          at: origins.findItem(item) ?? { of: "text" },
          stays: `it is that of ${object.kind === "Secret" ? objectText(object) : "a Secret"}`,
        };
      const text = node.text;
      const at = origins.partAt(item, ["data", name], node).source?.placeAt(0) ?? {
        of: "file",
        file: origins.findText(item, name, Buffer.from(text, "utf8"))?.file ?? "",
      };
      return { name, at, value: text.replaceAll("\n", "") };
    };
    return { object, lookup };
  }
}

const copyAnnotation = "fluxcd.controlplane.io/copyFrom";
const mostCopies = 10;

type Find = Lookup["find"];

interface Source {
  readonly object: VariableSource;
  /** Absent for what is not here. */
  readonly lookup?: Find;
}

/** @param sources highest first: one that is not here may override what those below it have */
function foundIn(sources: readonly Source[], name: string, { at }: FluxKustomization): ReturnType<Find> {
  const missing: string[] = [];
  for (const { object, lookup } of sources) {
    if (lookup === undefined) missing.push(`${objectText(object)}${object.isOptional ? " (optional)" : ""}`);
    const found = lookup?.(name) ?? "unset";
    if (found === "unset") continue;
    return missing.length === 0
      ? found
      : { name, at: found.at, stays: whyIt(missing, `override ${objectText(object)}`) };
  }
  if (missing.length === 0) return "unset";
  return { name, at: at ?? { of: "text" }, stays: whyIt(missing, "set it") };
}

function whyIt(missing: readonly string[], may: string): string {
  return `${missing.join(" and ")} ${missing.length === 1 ? "is" : "are"} not here, and may ${may}`;
}
