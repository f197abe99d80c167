// What a checkout has that nothing here follows: helmfiles, charts whose templates make targets, and manifests that no build has. Each
// is named once, with a way to an answer.
import { basename, dirname } from "node:path";
import type { Diagnostic } from "../diagnostic.ts";
import { madeBy } from "./helm/made-targets.ts";
import { listed, notBuilt, passedOver } from "./not-built.ts";

/** A file or a directory in a checkout. */
export interface Unfollowed {
  readonly kind: "helmfile" | "chart" | "manifests";
  /** A real path. */
  readonly path: string;
  /** Of manifests: all files. */
  readonly files?: readonly string[];
}

/** What reports one. @param shownAs how a path is named */
export function unfollowedFaults(
  { kind, path, files = [] }: Unfollowed,
  shownAs: (path: string) => string,
): readonly Diagnostic[] {
  const shown = shownAs(path);
  if (kind === "manifests") {
    const message = `nothing here builds ${listed(files.map(shownAs), "file")}, with targets`;
    return [passedOver(message, `read one alone: valuefold explain ${shown}`)];
  }
  const at = { text: shown, isFile: true } as const;
  if (kind === "chart") {
    const reason = `what it makes is missing, such as objects of kind ${madeBy(path) ?? ""}`;
    const hint = `explain it with its own values: valuefold explain ${shown}`;
    return [notBuilt({ message: `nothing here deploys the chart \`${shown}\``, hint, at, reason })];
  }
  const flag = basename(shown) === shown ? "" : ` -f ${shown}`;
  const message = `\`${shown}\` is not followed`;
  const reason = "helmfile is not run: what it deploys is missing";
  const hint = `helmfile${flag} template | valuefold explain -; or name its values files, the lowest first`;
  return [notBuilt({ message, hint, at, reason })];
}

export function isHelmfile(name: string): boolean {
  return /^helmfile\.(?:d|ya?ml(?:\.gotmpl)?)$/.test(name);
}

/** Without those below another: a helmfile includes them. */
export function topmost(all: readonly Unfollowed[]): readonly Unfollowed[] {
  const folders = all.filter(({ kind }) => kind === "helmfile").map(({ path }) => `${dirname(path)}/`);
  const isBelow = ({ path }: Unfollowed): boolean =>
    folders.some((each) => path.startsWith(each) && `${dirname(path)}/` !== each);
  return all.filter((each) => each.kind !== "helmfile" || !isBelow(each));
}
