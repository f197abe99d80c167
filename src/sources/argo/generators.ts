// The generators of an ApplicationSet → parameters. What only a cluster or a service can answer is said, once per set.
import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import type { Diagnostic } from "../../diagnostic.ts";
import { positionOf } from "../../explain/index.ts";
import type { Place } from "../../explanation.ts";
import { isFault, readDocument } from "../../core/index.ts";
import { isLooseMatch, isMatch } from "../glob.ts";
import { notBuilt } from "../not-built.ts";
import { fieldIn, isTrue, listIn, membersIn, type Placed, placed, placesInText, textIn } from "../placed.ts";
import { readPlaced } from "./overrides.ts";
import {
  flattened,
  mergedValues,
  nested,
  noParameters,
  placesIn,
  type SetParameters,
  withValues,
} from "./parameters-of-sets.ts";
import type { Repositories } from "./repositories.ts";
import { isSelected } from "./selector.ts";
import { filled, type TemplateForm } from "./template.ts";

/** What generators may look at. */
export interface GeneratorSurroundings {
  readonly repositories: Repositories;
  readonly shown: (path: string) => string;
  /** A file with a list of clusters. */
  readonly clusters: string | undefined;
  readonly onAssumed: (url: string) => void;
}

/** Undefined for what cannot be known. */
type Generated = readonly SetParameters[] | undefined;

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

export class Generators {
  private readonly form: TemplateForm;
  private readonly around: GeneratorSurroundings;
  /** What a set cannot be made of, and what is wrong in it. */
  readonly faults: Diagnostic[] = [];

  constructor(form: TemplateForm, around: GeneratorSurroundings) {
    this.form = form;
    this.around = around;
  }

  /** @param given what the generator's own texts are filled with */
  async generate(generator: Placed, given: SetParameters = noParameters): Promise<Generated> {
    const kind = kinds.find((each) => fieldIn(generator, each) !== undefined);
    if (kind === undefined) return this.refuse("the generator is none that is known", generator.at);
    const isGiven = Object.keys(given.values).length > 0;
    const [own] = isGiven
      ? await filled([{ field: generator, parameters: given }], this.form, isOwnValue)
      : [generator];
    if (own === undefined || "fault" in own) return this.refuse(own?.fault ?? "", own?.at);
    const found = await this.ofKind(kind, fieldIn(own, kind) ?? own);
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
        return this.git(own);
      case "clusters":
        return this.clusters(own);
      case "matrix":
        return this.matrix(own);
      case "merge":
        return this.merge(own);
      case "scmProvider":
      case "clusterDecisionResource":
      case "pullRequest":
      case "plugin":
        return Promise.resolve(this.unseen(kind, own));
    }
  }

  private unseen(kind: string, own: Placed): undefined {
    const hint =
      kind === "clusters" ? "list them in a file: --clusters FILE" : "pipe in the Applications that it makes";
    this.faults.push({
      ...notBuilt({ message: `what the generator \`${kind}\` makes is known in the cluster only`, hint }),
      ...(own.at && { at: positionOf(own.at) }),
    });
    return undefined;
  }

  private list(own: Placed): Generated {
    const text = textIn(fieldIn(own, "elementsYaml"));
    const more =
      text === undefined || text === "" ? [] : this.yamlElements(text, fieldIn(own, "elementsYaml"));
    const elements = listIn(fieldIn(own, "elements")).map((each) =>
      this.form.isGo ? nested(each) : this.flatElement(each),
    );
    if (more === undefined || elements.some((each) => each === undefined)) return undefined;
    return [...elements.flatMap((each) => each ?? []), ...more];
  }

  private yamlElements(text: string, field: Placed | undefined): Generated {
    const doc = readDocument(Buffer.from(text, "utf8"));
    if (isFault(doc)) return this.refuse(`\`elementsYaml\` cannot be read: ${doc.message}`, field?.at);
    const at = field?.at ?? { of: "text" as const };
    const root = placed(
      { doc, row: 0 },
      placesInText(
        () => at,
        () => undefined,
      ),
    );
    return listIn(root).map(nested);
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
        if (typeof own.value !== "string")
          return this.refuse(`\`${name}\` is no text, and plain templates take nothing else`, own.at);
        flat[name] = own.value;
      }
    }
    return { values: flat, places: placesIn(element) };
  }

  private async git(own: Placed): Promise<Generated> {
    const url = textIn(fieldIn(own, "repoURL")) ?? "";
    const repository = this.around.repositories.find(url, []);
    if (repository === undefined) {
      this.faults.push({
        ...notBuilt({
          message: `\`${url}\`, which a generator reads, is another repository`,
          hint: `name a checkout of it: --repo ${url}=DIR`,
        }),
        ...(own.at && { at: positionOf(own.at) }),
      });
      return undefined;
    }
    if (repository.isAssumed) this.around.onAssumed(url);
    const prefix = textIn(fieldIn(own, "pathParamPrefix")) ?? "";
    const directories = listIn(fieldIn(own, "directories"));
    const found =
      directories.length > 0
        ? this.directories(directories, repository.top, prefix)
        : this.files(listIn(fieldIn(own, "files")), repository.top, prefix);
    return found === undefined ? undefined : this.withOwnValues(found, fieldIn(own, "values"));
  }

  private directories(wanted: readonly Placed[], top: string, prefix: string): readonly SetParameters[] {
    const fits = (path: string, isExcluding: boolean): boolean =>
      wanted.some(
        (each) =>
          isTrue(fieldIn(each, "exclude")) === isExcluding &&
          isMatch(textIn(fieldIn(each, "path")) ?? "", path),
      );
    return directoriesIn(top)
      .map((path) => relative(top, path))
      .filter((path) => fits(path, false) && !fits(path, true))
      .map((path) => withValues(noParameters, this.pathValues(path, undefined, prefix)));
  }

  private files(wanted: readonly Placed[], top: string, prefix: string): Generated {
    const all = filesIn(top).map((path) => relative(top, path));
    const fits = (path: string, isExcluding: boolean): boolean =>
      wanted.some(
        (each) =>
          isTrue(fieldIn(each, "exclude")) === isExcluding &&
          isPathspec(textIn(fieldIn(each, "path")) ?? "", path),
      );
    const found = all
      .filter((path) => fits(path, false) && !fits(path, true))
      .toSorted((a, b) => (a < b ? -1 : 1));
    return found.flatMap((path) => {
      const root = readPlaced(join(top, path), this.around.shown(join(top, path)));
      if (!("value" in root)) {
        this.faults.push(root);
        return [];
      }
      const objects = Array.isArray(root.value) ? listIn(root) : [root];
      return objects.map((each) =>
        withValues(this.ofFile(each), this.pathValues(dirname(path), basename(path), prefix)),
      );
    });
  }

  private ofFile(object: Placed): SetParameters {
    const own = nested(object);
    return this.form.isGo ? own : { values: flattened(own.values), places: own.places };
  }

  /** What templates know of a path. */
  private pathValues(
    path: string,
    file: string | undefined,
    prefix: string,
  ): Readonly<Record<string, unknown>> {
    const name = basename(path);
    const facts = {
      basename: name,
      basenameNormalized: normalized(name),
      ...(file === undefined ? {} : { filename: file, filenameNormalized: normalized(file) }),
    };
    if (this.form.isGo) {
      const own = { path: { path, ...facts, segments: path.split("/") } };
      return prefix === "" ? own : { [prefix]: own };
    }
    const start = prefix === "" ? "path" : `${prefix}.path`;
    const segments = path
      .split("/")
      .flatMap((each, index) => (each === "" ? [] : [[`${start}[${index}]`, each]]));
    return {
      [start]: path,
      ...Object.fromEntries([
        ...Object.entries(facts).map(([key, value]) => [`${start}.${key}`, value]),
        ...segments,
      ]),
    };
  }

  /** `values` of a generator are texts that its own parameters fill. */
  private async withOwnValues(all: readonly SetParameters[], values: Placed | undefined): Promise<Generated> {
    if (values === undefined || membersIn(values).size === 0) return all;
    const made = await filled(
      all.map((parameters) => ({ field: values, parameters })),
      this.form,
    );
    const found = all.map((parameters, index): SetParameters | undefined => {
      const own = made[index];
      if (own === undefined || "fault" in own) return this.refuse(own?.fault ?? "", own?.at);
      const texts = [...membersIn(own)].map(([key, each]) => [key, textIn(each) ?? ""] as const);
      const named = this.form.isGo
        ? { values: Object.fromEntries(texts) }
        : Object.fromEntries(texts.map(([key, text]) => [`values.${key}`, text]));
      return {
        values: { ...parameters.values, ...named },
        places: new Map([...parameters.places, ...placesIn(own, "values")]),
      };
    });
    return found.some((each) => each === undefined) ? undefined : found.flatMap((each) => each ?? []);
  }

  private async clusters(own: Placed): Promise<Generated> {
    const { clusters: file, shown } = this.around;
    if (file === undefined) return this.unseen("clusters", own);
    const root = readPlaced(file, shown(file));
    if (!("value" in root)) {
      this.faults.push(root);
      return undefined;
    }
    const selector = fieldIn(own, "selector");
    const isChoosing =
      listIn(fieldIn(selector, "matchExpressions")).length +
        membersIn(fieldIn(selector, "matchLabels")).size >
      0;
    const all = listIn(root);
    const hasOwn = all.some((each) => textIn(fieldIn(each, "server")) === ownServer);
    const labelled = all.filter((each) =>
      isSelected(selector, {
        ...clusterLabel,
        ...flattened(nested(fieldIn(each, "labels") ?? nothing).values),
      }),
    );
    const found = labelled.map((each) => this.ofCluster(each));
    const local = { name: "in-cluster", nameNormalized: "in-cluster", server: ownServer, project: "" };
    const chosen = isChoosing || hasOwn ? found : [...found, withValues(noParameters, local)];
    const filledIn = await this.withOwnValues(chosen, fieldIn(own, "values"));
    if (!isTrue(fieldIn(own, "flatList"))) return filledIn;
    return filledIn && [withValues(noParameters, { clusters: filledIn.map(({ values }) => values) })];
  }

  private ofCluster(cluster: Placed): SetParameters {
    const text = (field: string): string => textIn(fieldIn(cluster, field)) ?? "";
    const own = {
      name: text("name"),
      nameNormalized: normalized(text("name")),
      server: text("server"),
      project: text("project"),
    };
    const metadata = Object.fromEntries(
      ["annotations", "labels"].flatMap((field) => {
        const members = fieldIn(cluster, field);
        return members === undefined || membersIn(members).size === 0
          ? []
          : [[field, nested(members).values]];
      }),
    );
    const places = new Map([
      ...placesIn(cluster),
      ...placesIn(fieldIn(cluster, "annotations") ?? nothing, "metadata.annotations"),
      ...placesIn(fieldIn(cluster, "labels") ?? nothing, "metadata.labels"),
    ]);
    if (this.form.isGo) return { values: { ...own, metadata }, places };
    return { values: { ...own, ...flattened({ metadata }) }, places };
  }

  /** Each of the first with each of the second, which the first fills. */
  private async matrix(own: Placed): Promise<Generated> {
    const [first, second, third] = listIn(fieldIn(own, "generators"));
    if (first === undefined || second === undefined || third !== undefined)
      return this.refuse("`matrix` takes two generators", own.at);
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
    }
    return all;
  }

  private combined(
    one: SetParameters,
    other: SetParameters,
    at: Place | undefined,
  ): SetParameters | undefined {
    const places = new Map([...other.places, ...one.places]);
    if (this.form.isGo) return { values: mergedValues(other.values, one.values), places };
    const clash = Object.keys(one.values).find(
      (key) => key in other.values && other.values[key] !== one.values[key],
    );
    if (clash !== undefined)
      return this.refuse(`both generators of \`matrix\` give \`${clash}\`, with other values`, at);
    return { values: { ...other.values, ...one.values }, places };
  }

  /** The first, with what others with the same keys override. */
  private async merge(own: Placed): Promise<Generated> {
    const keys = listIn(fieldIn(own, "mergeKeys")).flatMap((each) => textIn(each) ?? []);
    const [first, ...others] = listIn(fieldIn(own, "generators"));
    if (first === undefined || others.length === 0)
      return this.refuse("`merge` takes two generators or more", own.at);
    if (keys.length === 0) return this.refuse("`merge` needs `mergeKeys`", own.at);
    const keyOf = ({ values }: SetParameters): string =>
      JSON.stringify(keys.map((key) => values[key] ?? null));
    const lowest = await this.generate(first);
    if (lowest === undefined) return undefined;
    const base = new Map(lowest.map((each) => [keyOf(each), each]));
    if (base.size < lowest.length)
      return this.refuse("two sets of parameters have the same `mergeKeys`", first.at);
    for (const each of others) {
      const found = await this.generate(each);
      if (found === undefined) return undefined;
      const byKey = new Map(found.map((one) => [keyOf(one), one]));
      if (byKey.size < found.length)
        return this.refuse("two sets of parameters have the same `mergeKeys`", each.at);
      for (const [key, lower] of base) {
        const upper = byKey.get(key);
        if (upper === undefined) continue;
        const values = this.form.isGo
          ? mergedValues(lower.values, upper.values)
          : { ...lower.values, ...upper.values };
        base.set(key, { values, places: new Map([...lower.places, ...upper.places]) });
      }
    }
    return [...base.values()];
  }

  private refuse(message: string, at: Place | undefined): undefined {
    this.faults.push({ ...notBuilt({ message }), severity: "error", ...(at && { at: positionOf(at) }) });
    return undefined;
  }
}

const nothing: Placed = { value: new Map(), at: undefined };
const ownServer = "https://kubernetes.default.svc";
const clusterLabel = { "argocd.argoproj.io/secret-type": "cluster" };

/** These texts are filled by the generator's own parameters, too. */
function isOwnValue(path: readonly string[]): boolean {
  return path.at(-2) === "values" && path.at(-3) !== "list" && kinds.some((each) => each === path.at(-3));
}

/** As Argo CD makes a name of any text. */
function normalized(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^-a-z0-9.]/g, "-")
    .slice(0, 253)
    .replaceAll(/^[-.]+|[-.]+$/g, "");
}

function directoriesIn(directory: string): readonly string[] {
  return readdirSync(directory, { withFileTypes: true })
    .filter((each) => each.isDirectory() && !each.name.startsWith("."))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name }) => join(directory, name))
    .flatMap((path) => [path, ...directoriesIn(path)]);
}

function filesIn(directory: string): readonly string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) return entry.name === ".git" ? [] : filesIn(path);
    return existsSync(path) ? [path] : [];
  });
}

/** A pattern of `git ls-files`: a directory means all that is in it. */
function isPathspec(pattern: string, path: string): boolean {
  return path.startsWith(`${pattern.replace(/\/$/, "")}/`) || isLooseMatch(pattern, path);
}
