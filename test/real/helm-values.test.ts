// Bare values files against `helm template -f a -f b`, with a chart that prints its values.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { unsupplied } from "../../src/core/fold.ts";
import { mergingFiles } from "../../src/explain/values-files.ts";
import { hunt, type Failure } from "../fuzz/hunt.ts";
import { oddPair } from "../support/odd-values.ts";
import { messagesOf } from "../support/fold.ts";

const folder = mkdtempSync(join(tmpdir(), "valuefold-helm-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
mkdirSync(join(folder, "chart", "templates"), { recursive: true });
writeFileSync(join(folder, "chart", "Chart.yaml"), "apiVersion: v2\nname: chart\nversion: 1.0.0\n");
writeFileSync(join(folder, "chart", "templates", "values.yaml"), "values: {{ .Values | toJson }}\n");

const counts = { same: 0, refusedByBoth: 0, stricter: 0 };

/** The values that Helm sees; undefined where it refuses a file. */
function byHelm(texts: readonly string[]): unknown {
  const files = texts.map((text, index) => {
    const path = join(folder, `values-${index}.yaml`);
    writeFileSync(path, text);
    return path;
  });
  const { status, stdout } = spawnSync(
    "helm",
    ["template", "x", "chart", ...files.flatMap((file) => ["-f", file])],
    { cwd: folder, encoding: "utf8", maxBuffer: 1 << 26 },
  );
  const line = /^values: (.*)$/m.exec(stdout)?.[1];
  return status === 0 && line !== undefined ? JSON.parse(line) : undefined;
}

/** A block scalar that starts with nothing but spaces and tabs: `--json` takes that line for an empty one. */
const blankBlock = /[>|][-+0-9]*[ \t]*(?:#.*)?\n[ \t]+(?:\n|$)/;

function check(texts: readonly string[]): Failure | undefined {
  if (texts.some((text) => blankBlock.test(text))) return undefined;
  const wanted = byHelm(texts);
  const files = texts.map((text, index) => ({
    name: `values-${index}.yaml`,
    bytes: Buffer.from(text, "utf8"),
  }));
  const { exitCode, output, diagnostics } = unsupplied(mergingFiles({ files, json: true }));
  if (wanted === undefined) {
    counts.refusedByBoth++;
    // Helm cuts a file at `---`: a directive has no document then, and what starts like a marker is none.
    const isCut = texts.some((text) => /^(?:%|---[^ \n])/m.test(text));
    return exitCode === 1 || isCut ? undefined : { kind: `exit ${exitCode}, where Helm refuses` };
  }
  if (exitCode !== 0) {
    counts.stricter++;
    return exitCode === 1 ? undefined : { kind: `exit ${exitCode}`, detail: messagesOf({ diagnostics }) };
  }
  counts.same++;
  const got: unknown = JSON.parse(Buffer.concat(output).toString("utf8"));
  const [want, have] = [sorted(wanted), sorted(got)];
  return want === have ? undefined : { kind: "other values", detail: `want ${want}\ngot  ${have}` };
}

/** Go prints keys in their order, and so does this. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

test("stacks of odd values are what `helm template` sees", async () => {
  await hunt({
    name: "helm-values",
    cases: 150,
    make: (random) => [...oddPair(random), ...(random.once(3) ? oddPair(random) : [])],
    check,
  });
  console.log(
    `the same ${counts.same}, refused by both ${counts.refusedByBoth}, refused here only ${counts.stricter}`,
  );
  expect(counts.same).toBeGreaterThan(50);
}, 3_600_000);
