// Where a version of a chart is on this machine, if it is not in the checkout: what the user names, what Helm pulled before, and,
// where the user allows it, what `helm pull` brings.
import { join } from "node:path";
import type { ChartRelease, ChartReference, WantedChart } from "../../explain/index.ts";
import { environmentOf } from "../../core/index.ts";
import { isFile } from "../disk.ts";
import { runProgram } from "../program.ts";
import { openNamed } from "../repository.ts";
import { inFolder } from "../temporary.ts";
import type { Workspace } from "../workspace.ts";

/** Which of the two versions of `--chart NAME=OLD,NEW`. */
export type UpgradeSide = 0 | 1;

/** Archives of Helm's cache: `NAME-VERSION.tgz`. */
export class ChartPlaces {
  private readonly workspace: Workspace;

  constructor(workspace: Workspace) {
    this.workspace = workspace;
  }

  /** @param from reads the chart at a path */
  async find(wanted: WantedChart, from: ChartReference["from"]): Promise<ChartRelease | undefined> {
    // A checkout names it, and may mean to reach another file.
    if (!isPlain(wanted.name) || !(isPlain(wanted.version) || isDigest(wanted.version))) return undefined;
    const path = cachedIn(this.workspace.env, wanted);
    if (path !== undefined) return from(path);
    return this.workspace.fetches === true ? this.fetch(wanted, from) : undefined;
  }

  /** What the user names for it, whatever the checkout has. */
  async named(
    { name }: WantedChart,
    side: UpgradeSide,
    from: ChartReference["from"] | undefined,
  ): Promise<ChartRelease | undefined> {
    const pairs = (this.workspace.chartPairs ?? []).filter((each) => each.name === name);
    const [path] = pairs.flatMap(({ paths }) => paths[side] ?? []);
    if (path === undefined || from === undefined) return undefined;
    openNamed(path);
    return from(path);
  }

  private fetch(wanted: WantedChart, from: ChartReference["from"]): Promise<ChartRelease | undefined> {
    if (wanted.repository === undefined) return Promise.resolve(undefined);
    const { env, tidily } = this.workspace;
    return tidily((stop) =>
      inFolder(async (folder) => {
        const args = ["pull", ...pullOf(wanted, wanted.repository ?? ""), "--destination", folder];
        const { status } = await runProgram("helm", args, {
          env: environmentOf(env, /^HELM_|^XDG_/),
          stop,
        });
        const path = join(folder, archiveOf(wanted));
        if (status !== "done" || !isThereToOpen(path)) return undefined;
        const release = await from(path);
        // The folder is there for a while only.
        release?.files();
        return release;
      }),
    );
  }
}

function isDigest(version: string): boolean {
  return /^sha256:[0-9a-f]+$/.test(version);
}

function isPlain(word: string): boolean {
  return /^[A-Za-z0-9][\w.+-]*$/.test(word);
}

function archiveOf({ name, version }: WantedChart): string {
  if (isDigest(version)) return `${name}@${version.replace(":", "-")}.tgz`;
  return `${name}-${version.replace(/^v(?=\d)/, "")}.tgz`;
}

/** Helm's own rules for where its cache is. */
function cachedIn(env: Workspace["env"], wanted: WantedChart): string | undefined {
  const { HELM_REPOSITORY_CACHE, HELM_CACHE_HOME, XDG_CACHE_HOME, HOME } = env;
  const homes = [
    HELM_REPOSITORY_CACHE,
    HELM_CACHE_HOME && join(HELM_CACHE_HOME, "repository"),
    XDG_CACHE_HOME && join(XDG_CACHE_HOME, "helm/repository"),
    HOME && join(HOME, ".cache/helm/repository"),
    HOME && join(HOME, "Library/Caches/helm/repository"),
  ].flatMap((each) => (each ? [each] : []));
  const [name, plain] = [`${wanted.name}-${wanted.version}.tgz`, archiveOf(wanted)];
  const isSet = Boolean(HELM_REPOSITORY_CACHE) || Boolean(HELM_CACHE_HOME);
  const own = isSet ? homes.slice(0, 1) : homes;
  return own.flatMap((home) => [join(home, name), join(home, plain)]).find(isThereToOpen);
}

function isThereToOpen(path: string): boolean {
  openNamed(path);
  return isFile(path);
}

/** The command that brings it; undefined where nothing says from where, or where a shell would read its words as something else. */
export function pullCommand(wanted: WantedChart): string | undefined {
  const { repository } = wanted;
  if (repository === undefined || repository === "") return undefined;
  // It may hold a password.
  const shown = repository.replace(/^([a-z+]+:\/\/)[^/@]*@/, "$1");
  const words = ["helm", "pull", ...pullOf(wanted, shown)];
  return words.every((each) => /^[\w@%+=:,./-]+$/.test(each)) ? words.join(" ") : undefined;
}

function pullOf({ name, version }: WantedChart, repository: string): readonly string[] {
  const isRegistry = repository.startsWith("oci://") || !/^[a-z+]+:\/\//.test(repository);
  const url = repository.replace(/\/$/, "");
  const registry = url.startsWith("oci://") ? url : `oci://${url}`;
  // A digest is no version to Helm.
  if (isRegistry && isDigest(version)) return [`${registry}/${name}@${version}`];
  const where = isRegistry ? [`${registry}/${name}`] : [name, "--repo", url];
  return [...where, "--version", version];
}
