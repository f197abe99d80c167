// `.valuefold.yaml` at the top of a repository: the settings of the checkout, as the work tree or a revision has them. Flags win over
// it. The file is a stranger's: it names nothing outside of its repository, and allows no program.
import { dirname, isAbsolute, join, relative } from "node:path";
import { type Diagnostic, meantOr } from "../diagnostic.ts";
import { grouped } from "../grouped.ts";
import {
  checkoutFile,
  type CheckoutOutcome,
  fieldBelow,
  type FieldStep,
  readCheckoutSettings,
} from "../settings/index.ts";
import { existsSync, isDirectory, isFile, readFile, realPathOf } from "./disk.ts";
import { treeMatch } from "./glob.ts";
import { shownFrom } from "./names.ts";
import { nearPath } from "./path-hint.ts";
import { listed, passedOver } from "./not-built.ts";
import { repositoryOf } from "./repository.ts";
import { isIn } from "./tree.ts";
import type { NamedChart, SettledCheckout, Workspace } from "./workspace.ts";
import { remembered } from "../remembered.ts";

/** The settings of a checkout are wrong: it is not read without them. */
class SettingsError extends Error {
  readonly faults: readonly Diagnostic[];

  constructor(faults: readonly Diagnostic[]) {
    super("the settings of a checkout are wrong");
    this.faults = faults;
  }
}

/** What is wrong with the settings of a checkout; undefined for another error. Parts of the program have a class each. */
export function settingsFaults(error: unknown): readonly Diagnostic[] | undefined {
  return error instanceof Error && "faults" in error ? (error as SettingsError).faults : undefined;
}

/** @param first a build that is ignored */
export function allIgnored({ file }: SettledCheckout, directory: string, first: string): Error {
  const field = "spec.checkout.ignore";
  return new SettingsError([
    {
      code: "invalid-setting",
      severity: "error",
      field,
      message: `\`${field}\`: all that is built in \`${directory}\` is ignored`,
      at: { text: file, isFile: true },
      hint: `correct it, or name what you mean: ${first}`,
    },
  ]);
}

/** What is reported of settings that were used. @param isOfAll true for a command that says something of all that is there */
export function settingsNotes(used: readonly SettledCheckout[], isOfAll: boolean): readonly Diagnostic[] {
  return [...grouped(used, ({ file }) => file)].flatMap(([file, all]): readonly Diagnostic[] => {
    const at = { text: file, isFile: true } as const;
    const message = "the settings of the checkout are used";
    const ignored = new Set(all.flatMap((each) => [...each.ignored]));
    const topmost = [...ignored].filter((path) => !ignored.has(dirname(path)));
    const note = { code: "fold-summary", severity: "info", at } as const;
    const hidden = passedOver(`ignored: ${listed(topmost, "path")}`);
    return [
      { ...note, message },
      ...(topmost.length === 0 ? [] : [{ ...(isOfAll ? hidden : { ...hidden, ...note }), at }]),
    ];
  });
}

/** By the top, what is made of a workspace: others know it by its identity. */
const known = new WeakMap<Workspace, Map<string, Workspace>>();

/**
 * The workspace with the settings of the repository that a path is in.
 *
 * @throws SettingsError
 */
export function settled(workspace: Workspace, path: string): Workspace {
  const top = topAround(workspace, path);
  const all = remembered(known, workspace, () => new Map<string, Workspace>());
  const own = remembered(all, top, () => withSettings(workspace, top));
  const { settings } = own;
  // What the user names is read.
  if (settings?.isIgnored(relative(top, realPathOf(path))) !== true) return own;
  return { ...own, isIgnored: () => false, settings: { ...settings, isIgnored: () => false } };
}

/** Outside of a repository it is the directory where the user is, or the one that is named. */
function topAround({ top, from }: Workspace, path: string): string {
  const [own, here] = [realPathOf(path), realPathOf(from)];
  return realPathOf(top ?? repositoryOf(own) ?? (isIn(own, here) ? here : own));
}

function withSettings(workspace: Workspace, top: string): Workspace {
  const settings = settingsAt(top, workspace);
  if (settings === undefined) return workspace;
  workspace.onSettings?.(settings);
  const { sources, charts, clusters, helm, apiVersions, leavesOut } = settings;
  return {
    ...workspace,
    clusters: workspace.clusters ?? clusters,
    helm: workspace.helm ?? helm,
    apiVersions,
    charts: [...(workspace.charts ?? []), ...charts],
    settings,
    sources,
    isIgnored: leavesOut,
  };
}

/** Undefined for a checkout without any. */
function settingsAt(top: string, { from, revision }: Workspace): SettledCheckout | undefined {
  const path = join(top, checkoutFile);
  if (!isFile(path)) return undefined;
  const shown = shownFrom(from);
  const file = revision === undefined ? shown(path) : `${revision}:${shown(path)}`;
  const outcome = readCheckoutSettings(readFile(path), file);
  if ("faults" in outcome) throw new SettingsError(outcome.faults);
  const { checkout, ...judging } = outcome.settings;
  const { ignore = [], sources = [], charts = [], clusters, helm, apiVersions = [] } = checkout;
  const names = new WrittenPaths(top, outcome);
  const settings = {
    file,
    top,
    judging: { ...judging, ...(judging.schemas && { schemas: schemasIn(judging.schemas, names, shown) }) },
    sources: sources.map(({ url, folder }, index) => {
      const own = names.find(folder, ["checkout", "sources", index, "folder"], isDirectory);
      return { url, folder: relative(top, own) || "." };
    }),
    charts: charts.map(({ name, path: chart }, index): NamedChart => {
      const own = names.find(chart, ["checkout", "charts", index, "path"], existsSync);
      return { target: name, path: own, shown: shown(own), isOwn: true };
    }),
    clusters: clusters && names.find(clusters, ["checkout", "clusters"], isFile),
    helm,
    apiVersions,
    ...ignoring(ignore, names),
  };
  if (names.faults.length > 0) throw new SettingsError(names.faults);
  return settings;
}

type SchemaRules = NonNullable<SettledCheckout["judging"]["schemas"]>;

/** They are read here: names in a checkout start from its top. */
function schemasIn(rules: SchemaRules, names: WrittenPaths, shown: (path: string) => string): SchemaRules {
  return rules.map((rule, index) => {
    if (rule.file === undefined) return rule;
    const path = names.find(rule.file, ["schemas", index, "file"], isFile);
    return isFile(path) ? { ...rule, file: shown(path), text: readFile(path) } : rule;
  });
}

/** What is below something that is ignored is ignored, too. */
function ignoring(
  patterns: readonly string[],
  names: WrittenPaths,
): Pick<SettledCheckout, "isIgnored" | "leavesOut" | "ignored"> {
  const ignored = new Set<string>();
  const fits = treeMatch(patterns.map((each) => each.replace(/^(?:\.?\/)+|\/+$/g, "")));
  if (fits === undefined)
    names.refuse(["checkout", "ignore"], "expected fewer alternatives", "write fewer `{a,b}`");
  const found = new Map<string, boolean>();
  const isIgnored = (path: string): boolean => {
    if (path === "" || path === ".") return false;
    return remembered(found, path, () => isIgnored(dirname(path)) || fits?.(path) === true);
  };
  return {
    ignored,
    isIgnored,
    leavesOut: (path) => {
      const own = isIgnored(path);
      if (own) ignored.add(path);
      return own;
    },
  };
}

/** Paths as the settings have them, from the top. What leads out of the repository is not there. */
class WrittenPaths {
  readonly faults: Diagnostic[] = [];
  private readonly top: string;
  private readonly placeOf: CheckoutOutcome["placeOf"];

  constructor(top: string, { placeOf }: CheckoutOutcome) {
    this.top = top;
    this.placeOf = placeOf;
  }

  find(written: string, steps: readonly FieldStep[], isThere: (path: string) => boolean): string {
    const path = join(this.top, written);
    const isOut = isAbsolute(written) || !isIn(path, this.top);
    if (isOut)
      this.refuse(steps, `\`${written}\` leads out of the repository`, "flags name what is not in it");
    else if (!isIn(realPathOf(path), this.top) || !isThere(path))
      this.refuse(
        steps,
        `\`${written}\` does not exist`,
        meantOr(this.near(path), "name a path from the top of the repository"),
      );
    return path;
  }

  refuse(steps: readonly FieldStep[], message: string, hint: string): void {
    const field = steps.reduce(fieldBelow, "spec");
    const fault = { code: "invalid-setting", severity: "error", field, hint } as const;
    this.faults.push({ ...fault, message: `\`${field}\`: ${message}`, at: this.placeOf(steps) });
  }

  private near(path: string): string | undefined {
    const near = nearPath(path);
    return near === undefined || near === path ? undefined : relative(this.top, near);
  }
}
