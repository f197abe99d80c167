// Random checkouts of Flux and Argo CD whose layout is known: `explain` finds the roots and the values that were built in, with
// and without a remote, and `diff` names an edit in the releases that read it, and nothing else, whatever it compares.
// VALUEFOLD_CHECKOUTS says how many; VALUEFOLD_SURVEY=1 goes on after a failure.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { runCommand } from "../../src/cli/commands.ts";
import type { Difference } from "../../src/difference.ts";
import type { Explanation } from "../../src/explanation.ts";
import { entries } from "../../src/index.ts";
import { counted } from "../fuzz/tally.ts";
import {
  type BuiltRelease,
  type ExpectedEffect,
  type RandomCheckout,
  randomCheckout,
} from "../support/random-checkout.ts";
import { worldOf } from "../support/world.ts";
import { tools } from "./stamps.ts";

const checkouts = Number(process.env["VALUEFOLD_CHECKOUTS"] ?? process.env["VALUEFOLD_RUNS"] ?? 20);
const first = Number(process.env["VALUEFOLD_SEED"] ?? 20261127);
const isSurvey = process.env["VALUEFOLD_SURVEY"] !== undefined;
const mostBad = isSurvey ? Infinity : 1;

function git(cwd: string, ...args: readonly string[]): void {
  const who = ["-c", "user.name=t", "-c", "user.email=t@t.example"];
  const { status, stderr } = spawnSync("git", [...who, ...args], { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
}

function write(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

const foreign = "Kustomization/flux-system/policy";

/** One finding: what does not hold, what is wanted, and what comes. */
interface Finding {
  readonly law: string;
  readonly wanted: unknown;
  readonly got: unknown;
}

/** Mistakes of a user are thrown. */
function isOutcome(value: unknown): value is Awaited<ReturnType<typeof runCommand>> {
  return typeof value === "object" && value !== null && "exitCode" in value;
}

const sorted = (lines: readonly string[]): readonly string[] => lines.toSorted();

class Laws {
  readonly findings: Finding[] = [];
  private readonly checkout: RandomCheckout;
  private readonly repo: string;

  constructor(checkout: RandomCheckout, repo: string) {
    this.checkout = checkout;
    this.repo = repo;
  }

  same(law: string, wanted: readonly string[], got: readonly string[]): void {
    const [one, other] = [sorted(wanted), sorted(got)];
    if (JSON.stringify(one) !== JSON.stringify(other))
      this.findings.push({
        law,
        wanted: one.filter((each) => !other.includes(each)),
        got: other.filter((each) => !one.includes(each)),
      });
  }

  async list(how: string): Promise<void> {
    const { roots, releases, isFollowed } = this.checkout;
    const found = await entries(this.repo, { env: { PATH: tools } });
    const names = found.map(({ name, kind }) => `${kind} ${name}`);
    const wanted = roots.map(({ name, kind }) => `${kind} ${name}`);
    this.same(`list ${how}`, wanted, isFollowed ? names : names.filter((each) => wanted.includes(each)));
    if (!isFollowed) return;
    for (const root of found) {
      const { explanation } = await root.explain();
      const own = releases.filter((each) => each.root === root.name);
      this.same(
        `values ${how}`,
        own.flatMap(linesOf),
        explanation === undefined ? [] : valuesIn(explanation),
      );
    }
  }

  /** @param prefix what the names of builds and files begin with */
  async diff(
    law: string,
    args: readonly string[],
    effects: readonly ExpectedEffect[],
    prefix = "",
  ): Promise<void> {
    const world = worldOf("", { directory: this.repo, env: { PATH: tools } });
    const outcome = await runCommand(["diff", "--exit-code", "--json", ...args], world).catch(
      (error: unknown) => error,
    );
    if (!isOutcome(outcome)) {
      this.findings.push({ law, wanted: "a difference", got: String(outcome) });
      return;
    }
    const { output, exitCode } = outcome;
    const text = Buffer.concat(output).toString("utf8");
    const difference = JSON.parse(text) as Difference;
    const isUnread = difference.unread.length > 0 && exitCode === 2;
    if (!this.checkout.isFollowed && isUnread) return;
    const only = this.checkout.roots.length === 1 ? this.checkout.roots[0]?.name : undefined;
    this.same(`${law}: effects`, effects.map(shownEffect), effectsIn(difference, prefix, only));
    const { file } = this.checkout.edit;
    const files = difference.edits.map(({ at }) =>
      at?.of === "file" ? (at.file ?? "?").slice(prefix.length) : "?",
    );
    this.same(`${law}: files`, effects.length === 0 ? [] : [file], [...new Set(files)]);
    this.same(
      `${law}: lone targets`,
      [],
      difference.targets.map(({ what, target }) => `${target} ${what}`),
    );
    // What is of another repository is not built on either side.
    const unread = difference.unread.filter((each) => each !== foreign);
    this.same(`${law}: not compared`, [], unread);
    const status = difference.unread.length > 0 ? 2 : effects.length > 0 ? 1 : 0;
    this.same(`${law}: status`, [String(status)], [String(exitCode)]);
  }
}

const linesOf = ({ target, values }: BuiltRelease): readonly string[] =>
  [...values].map(([path, text]) => `${target} ${path} ${text}`);

function valuesIn({ targets }: Explanation): readonly string[] {
  return targets.flatMap(({ kind, namespace, name, stacks }) =>
    stacks.flatMap(({ values }) =>
      values
        .filter(({ mapping }) => mapping !== true)
        .map(({ path, text }) => `${kind}/${namespace}/${name} ${path.join(".")} ${text}`),
    ),
  );
}

function shownEffect({ root, target, path, what, from, to }: ExpectedEffect): string {
  return [what, target, root, path, ...(what === "changes" ? [from, to] : [])].join(" ");
}

function effectsIn({ edits }: Difference, prefix: string, only: string | undefined): readonly string[] {
  return edits.flatMap(({ what: kind, layer, effects }) =>
    kind === "value"
      ? effects.map(({ target, build, path, what, from, to }) => {
          const root = build === undefined ? (only ?? "?") : build.slice(prefix.length) || ".";
          return [what, target, root, path.join("."), ...(what === "changes" ? [from, to] : [])].join(" ");
        })
      : [`${kind} ${layer}`],
  );
}

async function findingsIn(checkout: RandomCheckout, folder: string): Promise<readonly Finding[]> {
  const repo = join(folder, "new");
  mkdirSync(repo);
  for (const [path, text] of checkout.files) write(repo, path, text);
  git(repo, "init", "-q", "-b", "main");
  git(repo, "add", "-A");
  git(repo, "commit", "-q", "-m", "one");
  const laws = new Laws(checkout, repo);
  const { file, text, effects } = checkout.edit;
  const isArgo = checkout.traits.includes("argo");
  process.chdir(repo);
  // Without a remote Argo CD's sources are of other repositories.
  if (!isArgo) await laws.list("without a remote");
  git(repo, "remote", "add", "origin", checkout.origin);
  await laws.list("with a remote");
  await laws.diff("no edit", ["HEAD"], []);
  cpSync(repo, join(folder, "old"), { recursive: true });
  write(repo, file, text);
  await laws.diff("diff HEAD", ["HEAD"], effects);
  git(repo, "commit", "-q", "-a", "-m", "two");
  await laws.diff("diff REV REV", ["HEAD^", "HEAD"], effects);
  await laws.diff("diff DIR DIR", ["../old", "."], effects);
  return laws.findings;
}

test(`${checkouts} random checkouts are found, and an edit in each is named`, async () => {
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
