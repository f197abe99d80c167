// The generators of an ApplicationSet → parameters. What only a cluster or a service can answer is said, once per set.
import type { Diagnostic } from "../../diagnostic.ts";
import type { Place } from "../../explanation.ts";
import { isFault, readDocument, Node } from "../../yaml/index.ts";
import { fieldIn, listIn, membersIn, opened, type Placed, placed, textIn } from "../placed.ts";
import { clusterParameters } from "./cluster-generator.ts";
import { type Generated, GeneratorScene, type GeneratorSurroundings } from "./generator-scene.ts";
import { gitParameters } from "./git-generator.ts";
import {
  flattened,
  mergedValues,
  nested,
  noParameters,
  placesIn,
  type SetParameters,
} from "./parameters-of-sets.ts";
import { isSelected } from "./selector.ts";
import { filled, type TemplateForm } from "./template.ts";

const kinds = [
  "list",
  "git",
  "clusters",
  "matrix",
  "merge",
  "scmProvider",
  "clusterDecisionResource",
  "pullRequest",
  "plugin",
] as const;

/** What a set, or one of its generators, may come to: two lists of a thousand make a million. */
export const mostResults = 10_000;

export class Generators {
  private readonly scene: GeneratorScene;

  private readonly set: string;

  /** @param set how faults name it */
  constructor(form: TemplateForm, around: GeneratorSurroundings, set: string) {
    this.scene = new GeneratorScene(form, around);
    this.set = set;
  }

  get faults(): readonly Diagnostic[] {
    return this.scene.faults;
  }

  /** @param given what the generator's own texts are filled with */
  async generate(generator: Placed, given: SetParameters = noParameters): Promise<Generated> {
    const kind = kinds.find((each) => fieldIn(generator, each) !== undefined);
    if (kind === undefined) return this.scene.refuse("the kind of the generator is not known", generator.at);
    const isGiven = Object.keys(given.values).length > 0;
    const [own] = isGiven
      ? await filled([{ field: generator, parameters: given }], this.scene.form, isOwnValue)
      : [generator];
    if (own === undefined || "fault" in own) return this.scene.refuse(own?.fault ?? "", own?.at);
    const found = await this.ofKind(kind, fieldIn(own, kind) ?? own);
    if (found !== undefined && found.length > mostResults) return this.refuseMany(generator);
    const selector = fieldIn(generator, "selector");
    return selector === undefined
      ? found
      : found?.filter(({ values }) => isSelected(selector, flattened(values)));
  }

  private ofKind(kind: (typeof kinds)[number], own: Placed): Promise<Generated> {
    switch (kind) {
      case "list":
        return Promise.resolve(this.list(own));
      case "git":
        return gitParameters(own, this.scene);
      case "clusters":
        return clusterParameters(own, this.scene);
      case "matrix":
        return this.matrix(own);
      case "merge":
        return this.merge(own);
      case "scmProvider":
      case "clusterDecisionResource":
      case "pullRequest":
      case "plugin":
        return Promise.resolve(
          this.scene.unseen(
            `what the generator \`${kind}\` makes is known in the cluster only`,
            own.at,
            "pipe in the Applications that it makes",
          ),
        );
    }
  }

  private list(own: Placed): Generated {
    const text = textIn(fieldIn(own, "elementsYaml"));
    const more =
      text === undefined || text === "" ? [] : this.yamlElements(text, fieldIn(own, "elementsYaml"));
    const elements = listIn(fieldIn(own, "elements")).map((each) =>
      this.scene.form.isGo ? nested(each) : this.flatElement(each),
    );
    if (more === undefined || elements.some((each) => each === undefined)) return undefined;
    return [...elements.flatMap((each) => each ?? []), ...more];
  }

  private yamlElements(text: string, field: Placed | undefined): Generated {
    const doc = readDocument(Buffer.from(text, "utf8"));
    if (isFault(doc)) return this.scene.refuse(`\`elementsYaml\` cannot be read: ${doc.message}`, field?.at);
    const at = field?.at ?? { of: "text" as const };
    return listIn(placed(new Node(doc), () => ({ at }))).map(nested);
  }

  /** Plain templates know texts only, and one level of `values`. */
  private flatElement(element: Placed): SetParameters | undefined {
    const flat: Record<string, unknown> = {};
    for (const [key, each] of membersIn(element)) {
      const isValues = key === "values";
      const members = isValues
        ? [...membersIn(each)].map(([name, own]) => [`values.${name}`, own] as const)
        : [[key, each] as const];
      for (const [name, own] of members) {
        const { value } = opened(own);
        if (typeof value !== "string")
          return this.scene.refuse(`\`${name}\` is no text, and plain templates take nothing else`, own.at);
        flat[name] = value;
      }
    }
    return { values: flat, places: placesIn(element) };
  }

  /** Each of the first with each of the second, which the first fills. */
  private async matrix(own: Placed): Promise<Generated> {
    const [first, second, third] = listIn(fieldIn(own, "generators"));
    if (first === undefined || second === undefined || third !== undefined)
      return this.scene.refuse("`matrix` takes two generators", own.at);
    const outer = await this.generate(first);
    if (outer === undefined) return undefined;
    const all: SetParameters[] = [];
    for (const one of outer) {
      const inner = await this.generate(second, one);
      if (inner === undefined) return undefined;
      for (const other of inner) {
        const both = this.combined(one, other, own.at);
        if (both === undefined) return undefined;
        all.push(both);
      }
      if (all.length > mostResults) return this.refuseMany(own);
    }
    return all;
  }

  refuseMany({ at }: Placed): undefined {
    const bound = mostResults.toLocaleString("en");
    return this.scene.refuse(`the generators of \`${this.set}\` have more than ${bound} results`, at);
  }

  private combined(
    one: SetParameters,
    other: SetParameters,
    at: Place | undefined,
  ): SetParameters | undefined {
    const places = new Map([...other.places, ...one.places]);
    if (this.scene.form.isGo) return { values: mergedValues(other.values, one.values), places };
    const clash = Object.keys(one.values).find(
      (key) => key in other.values && other.values[key] !== one.values[key],
    );
    if (clash !== undefined)
      return this.scene.refuse(`both generators of \`matrix\` give \`${clash}\`, with other values`, at);
    return { values: { ...other.values, ...one.values }, places };
  }

  /** The first, with what others with the same keys override. */
  private async merge(own: Placed): Promise<Generated> {
    const keys = listIn(fieldIn(own, "mergeKeys")).flatMap((each) => textIn(each) ?? []);
    const [first, ...others] = listIn(fieldIn(own, "generators"));
    if (first === undefined || others.length === 0)
      return this.scene.refuse("`merge` takes two generators or more", own.at);
    if (keys.length === 0) return this.scene.refuse("`merge` needs `mergeKeys`", own.at);
    const keyOf = ({ values }: SetParameters): string =>
      JSON.stringify(keys.map((key) => values[key] ?? null));
    const lowest = await this.generate(first);
    if (lowest === undefined) return undefined;
    const base = new Map(lowest.map((each) => [keyOf(each), each]));
    if (base.size < lowest.length)
      return this.scene.refuse("two sets of parameters have the same `mergeKeys`", first.at);
    for (const each of others) {
      const found = await this.generate(each);
      if (found === undefined) return undefined;
      const byKey = new Map(found.map((one) => [keyOf(one), one]));
      if (byKey.size < found.length)
        return this.scene.refuse("two sets of parameters have the same `mergeKeys`", each.at);
      for (const [key, lower] of base) {
        const upper = byKey.get(key);
        if (upper === undefined) continue;
        const values = this.scene.form.isGo
          ? mergedValues(lower.values, upper.values)
          : { ...lower.values, ...upper.values };
        base.set(key, { values, places: new Map([...lower.places, ...upper.places]) });
      }
    }
    return [...base.values()];
  }
}

/** These texts are filled by the generator's own parameters, too. */
function isOwnValue(path: readonly string[]): boolean {
  return path.at(-2) === "values" && path.at(-3) !== "list" && kinds.some((each) => each === path.at(-3));
}
