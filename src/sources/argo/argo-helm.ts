// The Helm that Argo CD has: 3 before its version 3.5, and 4 from then on, whatever `helm.version` says. Its version is the one that
// the checkout deploys, by an image, a URL of its manifests or its chart. It is looked for where an answer depends on it.
import { join } from "node:path";
import type { Diagnostic } from "../../diagnostic.ts";
import { entriesIn, ifReadable, readFile } from "../disk.ts";
import type { HelmVersion } from "../helm/deployed.ts";
import { shownFrom } from "../names.ts";
import { passedOver } from "../not-built.ts";
import type { Workspace } from "../workspace.ts";
import { asText, type Fields, plainOfText } from "../plain.ts";
import { remembered } from "../../remembered.ts";

/** One that is deployed. */
interface FoundArgo {
  readonly shown: string;
  readonly helm: HelmVersion;
  readonly file: string;
}

export class ArgoHelm {
  private readonly top: string;
  private readonly shown: (path: string) => string;
  private argos: readonly FoundArgo[] | undefined;
  private isSaid = false;

  constructor(top: string, shown: (path: string) => string) {
    this.top = top;
    this.shown = shown;
  }

  /** @param matters true if the two Helms come to other values, and not only to other nulls */
  version(matters: boolean): HelmVersion {
    this.argos ??= argosIn(this.top);
    this.isSaid ||= matters;
    return this.argos.length > 0 && this.argos.every(({ helm }) => helm === 3) ? 3 : 4;
  }

  /** Which one it is, if values depend on it. */
  notes(): readonly Diagnostic[] {
    if (!this.isSaid) return [];
    const { argos = [] } = this;
    const [first] = argos;
    const names = [...new Set(argos.map(({ shown }) => shown))].slice(0, 3).join(", ");
    const why = first === undefined ? "no version of Argo CD is here" : `here is ${names}`;
    const note = passedOver(
      `values are read as Helm ${this.version(true)} does: ${why}`,
      "Argo CD has Helm 4 from 3.5 on; `--helm` decides",
    );
    return [first === undefined ? note : { ...note, at: { text: this.shown(first.file), isFile: true } }];
  }
}

const known = new WeakMap<object, ArgoHelm>();

/** The one of a checkout: it is looked for once, however many entries it has. */
export function argoHelm(workspace: Workspace, top: string): ArgoHelm {
  const key = workspace.cacheKey ?? workspace;
  return remembered(known, key, () => new ArgoHelm(top, shownFrom(workspace.from)));
}

/** True where a change gives Argo CD another Helm: then values may change that no changed file has. @param files from the top */
export function hasOtherHelm(
  files: readonly string[],
  sides: readonly { readonly workspace: Workspace; readonly top: string }[],
): boolean {
  const yaml = files.filter((file) => /\.ya?ml$/.test(file));
  const isNamed = sides.some(({ top }) => yaml.some((file) => textNamingArgo(join(top, file)) !== undefined));
  const [before, after] = isNamed
    ? sides.map((each) => argoHelm(each.workspace, each.top).version(false))
    : [];
  return before !== after;
}

/** Images and manifests. Without them charts: the values of a chart may name an image. */
function argosIn(top: string): readonly FoundArgo[] {
  const texts = yamlBelow(top).flatMap((file) => {
    const text = textNamingArgo(file);
    return text === undefined ? [] : [{ file, text }];
  });
  const images = texts.flatMap(({ file, text }) =>
    [...imagesIn(text), ...mappingsIn(text).flatMap(imageOf)].flatMap((version) =>
      argoOf("Argo CD", version, file),
    ),
  );
  if (images.length > 0) return images;
  return texts.flatMap(({ file, text }) =>
    mappingsIn(text)
      .flatMap(chartOf)
      .flatMap((version) => argoOf(chart, version, file)),
  );
}

function textNamingArgo(file: string): string | undefined {
  const text = ifReadable(() => Buffer.from(readFile(file)).toString("utf8"));
  return text !== undefined && /argo-cd|argoproj\/argocd/.test(text) ? text : undefined;
}

const chart = "the chart argo-cd";

/** What has Helm 4 first: the chart 10.3 brings Argo CD 3.5. */
const firstWith4 = { [chart]: [10, 3], "Argo CD": [3, 5] } as const;

/** A range counts as the last version in it: `9.x`, `^9.1.0`. */
function argoOf(what: keyof typeof firstWith4, written: string, file: string): readonly FoundArgo[] {
  const version = written.trim();
  const [, sign, major, minor] =
    /^([v~^=]*)(\d{1,4})\.(\d{1,4}|[x*])(?:\.(?:\d{1,4}|[x*]))?$/.exec(version) ?? [];
  if (sign === undefined || major === undefined) return [];
  const last = sign.includes("^") || Number.isNaN(Number(minor)) ? Infinity : Number(minor);
  const [first, second] = firstWith4[what];
  const isLater = Number(major) > first || (Number(major) === first && last >= second);
  return [{ shown: `${what} ${version}`, helm: isLater ? 4 : 3, file }];
}

/** Of `argoproj/argocd:v3.4.1`, `argo-cd/v3.4.1/manifests/…` and `argo-cd//manifests/…?ref=v3.4.1`. */
function imagesIn(text: string): readonly string[] {
  const places = [
    /argoproj\/argocd:(v?\d[\d.]{0,12})/g,
    /argoproj\/argo-cd\/(v\d[\d.]{0,12})\/manifests/g,
    /argoproj\/argo-cd(?:\.git)?\/{1,2}manifests[\w/.-]{0,100}\?ref=(v\d[\d.]{0,12})/g,
  ];
  return places.flatMap((pattern) => [...text.matchAll(pattern)].map(([, version = ""]) => version));
}

/** An entry of `images` in a kustomization, or an image among the values of a chart. */
function imageOf({ name, newName, repository, newTag, tag }: Fields): readonly string[] {
  const isArgo = [newName, name, repository].some((each) => asText(each).endsWith("argoproj/argocd"));
  return isArgo ? [asText(newTag ?? tag)] : [];
}

/** Of an Application, a HelmRelease or a HelmChart; of `helmCharts` and `dependencies`, which name a repository, too. */
function chartOf(mapping: Fields): readonly string[] {
  const { chart: own, name, repo, repository, targetRevision, version } = mapping;
  const isOther = name === "argo-cd" && asText(repo ?? repository) !== "";
  return own === "argo-cd" || isOther ? [asText(targetRevision ?? version)] : [];
}

/** All mappings in the documents of a text that can be read. */
function mappingsIn(text: string): readonly Fields[] {
  return text.split(/^---.*$/m).flatMap((each) => mappingsBelow(plainOfText(Buffer.from(each))));
}

/** Each once: aliases may lead to it in many ways. */
function mappingsBelow(value: unknown): readonly Fields[] {
  const seen = new Set<object>();
  const open = [value];
  while (open.length > 0) {
    const each = open.pop();
    if (typeof each !== "object" || each === null || seen.has(each)) continue;
    seen.add(each);
    for (const inner of Object.values(each)) open.push(inner);
  }
  return [...seen].map((each) => ({ ...each }));
}

function yamlBelow(directory: string): readonly string[] {
  const entries = ifReadable(() => entriesIn(directory)) ?? [];
  return entries
    .filter(({ name }) => !name.startsWith(".") && name !== "node_modules")
    .flatMap((entry) => {
      const path = join(directory, entry.name);
      if (entry.kind === "directory") return yamlBelow(path);
      return entry.kind === "file" && /\.ya?ml$/.test(entry.name) ? [path] : [];
    });
}
