// Random checkouts of Flux, Argo CD and Fleet whose layout is known. `explain` finds the roots and the values that were built in, with
// and without a remote, in any order of files. `diff` names an edit in the releases that read it, and nothing else, whatever it
// compares; the judge of edits that are more than one value is what both trees come to. VALUEFOLD_CHECKOUTS says how many;
// VALUEFOLD_SURVEY=1 goes on after a failure.
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Difference } from "../../src/difference.ts";
import { counted } from "../fuzz/tally.ts";
import type { ExpectedEffect } from "../support/checkouts/edits.ts";
import {
  type BuiltRelease,
  type RandomCheckout,
  randomCheckout,
} from "../support/checkouts/random-checkout.ts";
import { difference, git, listOf, unbuiltIn, unreadIn, valuesIn, write } from "./checkout-world.ts";
import { changesBetween, changesIn, treesOf } from "./tree-changes.ts";

const checkouts = Number(process.env["VALUEFOLD_CHECKOUTS"] ?? process.env["VALUEFOLD_RUNS"] ?? 30);
const first = Number(process.env["VALUEFOLD_SEED"] ?? 20261127);
const isSurvey = process.env["VALUEFOLD_SURVEY"] !== undefined;
const mostBad = isSurvey ? Infinity : 1;

/** One finding: what does not hold, what is wanted, and what comes. */
interface Finding {
  readonly law: string;
  readonly wanted: unknown;
  readonly got: unknown;
}

class Laws {
  readonly findings: Finding[] = [];
  private readonly checkout: RandomCheckout;
  private readonly repo: string;

  constructor(checkout: RandomCheckout, repo: string) {
    this.checkout = checkout;
    this.repo = repo;
  }

  async list(how: string, repo = this.repo): Promise<void> {
    const { roots, releases, unbuilt, edit } = this.checkout;
    const found = await listOf(repo);
    const names = found.map(({ name, kind }) => `${kind} ${name}`);
    const wanted = roots.map(({ name, kind }) => `${kind} ${name}`);
    this.same(`list ${how}`, wanted, names);
    const guesses = new Set(roots.filter(({ isGuess }) => isGuess).map(({ name }) => name));
    const isLast = found.findIndex(({ name }) => guesses.has(name));
    const after = isLast < 0 ? [] : found.slice(isLast).filter(({ name }) => !guesses.has(name));
    this.same(
      `guesses are last ${how}`,
      [],
      after.map(({ name }) => name),
    );
    for (const root of found) {
      const { explanation } = await root.explain();
      const own = releases.filter((each) => each.root === root.name);
      const values = explanation === undefined ? [] : valuesIn(explanation);
      this.same(`values of ${root.name} ${how}`, own.flatMap(linesOf), values);
    }
    // What an Application reads is known once it is built, and what is of another repository is not.
    const isOpen = ["foreign source", "other branch"].some((each) => this.checkout.traits.includes(each));
    const left = await unbuiltIn(repo);
    // Where a patch gives a Kustomization its path, it may build any directory: nothing is named then.
    if (!isOpen || left.length > 0) this.same(`not built ${how}`, unbuilt, left);
    const exact = found.filter(({ kind }) => kind !== "Argo CD" && !(kind === "Flux" && isOpen));
    const readers = new Set(edit.effects.map(({ root }) => root));
    this.same(
      `reads ${edit.file} ${how}`,
      exact.filter(({ name }) => readers.has(name)).map(({ name }) => name),
      exact.filter(({ reads }) => reads(edit.file)).map(({ name }) => name),
    );
  }

  async edited(law: string, args: readonly string[], effects: readonly ExpectedEffect[]): Promise<void> {
    const answer = await difference(this.repo, args);
    if (typeof answer === "string") this.findings.push({ law, wanted: "a difference", got: answer });
    else this.effects(law, answer, effects);
  }

  /** The judge builds both trees. What `diff` could not compare is missing in its answer, and it says so. */
  async changed(law: string, old: string, args: readonly string[]): Promise<void> {
    const [before, after] = await treesOf(old, this.repo);
    const answer = await difference(this.repo, args);
    const wanted = changesBetween(before, after);
    if (wanted === undefined || typeof answer === "string") {
      const isReported = wanted === undefined && (typeof answer === "string" || answer.exitCode > 0);
      if (!isReported) this.findings.push({ law, wanted, got: answer });
      return;
    }
    const got = changesIn(answer.difference, onlyOf(before, after));
    this.same(`${law}: edits of other files`, [], this.untouched(answer.difference));
    const isPartly = unreadIn(answer.difference).length > 0;
    this.same(law, isPartly ? wanted.filter((each) => got.includes(each)) : wanted, got);
    this.status(law, answer, answer.difference.edits.length + got.length > 0);
  }

  /** Values that come or go and are on both sides; and those of other files, unless a variable may be gone that they had. */
  private untouched({ edits }: Difference): readonly string[] {
    const { change, files } = this.checkout;
    // Without its kustomization a folder is built of all its files: a patch is a release then.
    if (change.text === undefined) return [];
    const old = files.get(change.file) ?? "";
    return edits.flatMap(({ what, at, was, is }) => {
      const file = at?.of === "file" ? (at.file ?? "") : "";
      const isSame = is === undefined ? has(change.text, was) : was === undefined && has(old, is);
      const isOther = file !== change.file && files.get(file)?.includes("${") !== true;
      return what === "value" && (isOther || isSame) ? `${file} ${was} ${is}` : [];
    });
  }

  private effects(
    law: string,
    { difference: found, exitCode }: { readonly difference: Difference; readonly exitCode: number },
    effects: readonly ExpectedEffect[],
  ): void {
    const only = this.checkout.roots.length === 1 ? this.checkout.roots[0]?.name : undefined;
    this.same(`${law}: effects`, effects.map(shownEffect), effectsIn(found, only));
    const { file } = this.checkout.edit;
    const files = found.edits.map(({ at }) => (at?.of === "file" ? (at.file ?? "?") : "?"));
    this.same(`${law}: files`, effects.length === 0 ? [] : [file], [...new Set(files)]);
    const alone = found.targets.map(({ what, target }) => `${target} ${what}`);
    this.same(`${law}: lone targets`, [], alone);
    this.same(`${law}: not compared`, [], unreadIn(found));
    this.status(law, { difference: found, exitCode }, effects.length > 0);
  }

  private status(
    law: string,
    { difference: found, exitCode }: { readonly difference: Difference; readonly exitCode: number },
    isChanged: boolean,
  ): void {
    const status = found.unread.length > 0 ? 2 : isChanged ? 1 : 0;
    this.same(`${law}: status`, [String(status)], [String(exitCode)]);
  }

  private same(law: string, wanted: readonly string[], got: readonly string[]): void {
    const [one, other] = [wanted.toSorted(), got.toSorted()];
    if (JSON.stringify(one) === JSON.stringify(other)) return;
    const [missing, more] = [without(one, other), without(other, one)];
    this.findings.push({ law, wanted: missing, got: more });
  }
}

/** Each as often as it is more often in it. */
function without(all: readonly string[], others: readonly string[]): readonly string[] {
  const left = [...others];
  return all.filter((each) => {
    const at = left.indexOf(each);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function has(text: string | undefined, value: string | undefined): boolean {
  return value !== undefined && new RegExp(`\\b${value}\\b`).test(text ?? "");
}

/** The build that is not named, as there is no other. */
function onlyOf(...trees: readonly ReadonlyMap<string, unknown>[]): string | undefined {
  const [only, second] = [...new Set(trees.flatMap((each) => [...each.keys()]))];
  return second === undefined ? only : undefined;
}

const linesOf = ({ target, values }: BuiltRelease): readonly string[] =>
  [...values].map(([path, text]) => `${target} ${path} ${text}`);

function shownEffect({ root, target, path, what, from, to }: ExpectedEffect): string {
  const shown = target.replace("//", "/");
  return [what, shown, root, path, ...(what === "changes" ? [from, to] : [])].join(" ");
}

function effectsIn({ edits }: Difference, only: string | undefined): readonly string[] {
  return edits.flatMap(({ what: kind, layer, effects }) =>
    kind === "value"
      ? effects.map(({ target, build, path, what, from, to }) => {
          const root = build === undefined ? (only ?? "?") : build || ".";
          return [what, target, root, path.join("."), ...(what === "changes" ? [from, to] : [])].join(" ");
        })
      : [`${kind} ${layer}`],
  );
}

async function findingsIn(checkout: RandomCheckout, folder: string): Promise<readonly Finding[]> {
  const [repo, old] = [join(folder, "new"), join(folder, "old")];
  mkdirSync(repo);
  for (const [path, text] of checkout.files) write(repo, path, text);
  git(repo, "init", "-q", "-b", "main");
  git(repo, "add", "-A");
  git(repo, "commit", "-q", "-m", "one");
  const laws = new Laws(checkout, repo);
  const { edit, change } = checkout;
  process.chdir(repo);
  await laws.list("without a remote");
  git(repo, "remote", "add", "origin", checkout.origin);
  await laws.list("with a remote");
  await laws.edited("no edit", ["HEAD"], []);
  cpSync(repo, old, { recursive: true });
  write(repo, change.file, change.text);
  git(repo, "add", "-A", "-N");
  await laws.changed(`${change.what} ${change.file}`, old, ["HEAD"]);
  git(repo, "reset", "-q", "--hard");
  git(repo, "clean", "-qfdx");
  write(repo, edit.file, edit.text);
  await laws.edited("diff HEAD", ["HEAD"], edit.effects);
  git(repo, "commit", "-q", "-a", "-m", "two");
  await laws.edited("diff REV REV", ["HEAD^", "HEAD"], edit.effects);
  await laws.edited("diff DIR DIR", ["../old", "."], edit.effects);
  return laws.findings;
}

test(`${checkouts} random checkouts are found, and edits in each are named`, async () => {
  const bad: string[] = [];
  const here = process.cwd();
  for (let seed = first; seed < first + checkouts && bad.length < mostBad; seed++) {
    const folder = mkdtempSync(join(tmpdir(), "valuefold-checkout-"));
    const checkout = randomCheckout(seed);
    const findings = await findingsIn(checkout, folder);
    process.chdir(here);
    if (findings.length === 0) rmSync(folder, { recursive: true });
    else {
      const lines = findings.map(
        ({ law, wanted, got }) =>
          `  ${law}\n    wanted ${JSON.stringify(wanted)}\n    got    ${JSON.stringify(got)}`,
      );
      bad.push(
        [
          `seed ${seed}: ${[...new Set(checkout.traits)].join(", ")}; edit of ${checkout.edit.file}; in ${folder}`,
          ...lines,
        ].join("\n"),
      );
      if (isSurvey) console.log(bad.at(-1));
    }
  }
  counted(checkouts);
  expect(bad.join("\n\n")).toBe("");
}, 36_000_000);
