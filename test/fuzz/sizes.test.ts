// Texts of one odd piece, many times over, and paths with many `**`: the built program ends in time, and within its memory.
import { spawnSync } from "node:child_process";
import { mkdtempSync, openSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "vitest";
import type { Random } from "../support/nasty-yaml.ts";
import { type Failure, hunt } from "./hunt.ts";

const folder = mkdtempSync(join(tmpdir(), "valuefold-sizes-"));
const program = new URL("../../dist/valuefold.cjs", import.meta.url).pathname;
const probe = join(folder, "probe.cjs");
writeFileSync(
  probe,
  'process.on("exit", () => { const { maxRSS, userCPUTime: u, systemCPUTime: s } = process.resourceUsage(); require("node:fs").writeSync(2, `\\npeak ${maxRSS} ${u + s}\\n`); });\n',
);

const mostSeconds = 4;
const mebibyte = 1 << 20;

/** Pieces; `%` is the number of the piece. */
const oneLine =
  "}|{|]|[|x?,|!t x, |x, |x: 1, |- |? |: |&a |*a |'|''|\"|\\\\|\\n|#|# |!|@|é|😀|,|<<|=|${v}|ENC[";
const lines =
  'k%: !!int x|k%: 1|k: %|"k%\\t": 1|# c||   |\t|- x|- !t x|- {a: 1}|a%: &x% 1|b%: *x%|k%: {<<: *x}|---|...|sops:|k%: ${v%}|? k%|k%: [x?]|mac: ENC[|&a%: 1|- - x';
const bracketed = ["x?,", "!t x, ", "x,", "!!int x,", "[],", "{a: 1},", "&a x,", "'x', ", "? x,", "x: 1, "];
const pieces = [...oneLine.split("|"), "k%: |\n  x\n", ...lines.split("|").map((line) => `${line}\n`)];
const starts =
  `;x: ;a: [;a: {;a: ";a: ';a: |\n  ;t: !x 1\n;t: !x 1\na: [;t: !x 1\na: ";x: &x {a: 1}\n;a:\n;y: {<<: [;a: !x `.split(
    ";",
  );
const ends = ["", "]", "}", '"', "'", "\nb: 2\n", "]}"];
const carriers = [
  "values",
  "values",
  "values",
  "json",
  "in place",
  "kpt comments",
  "entries",
  "labels",
  "deep path",
  "protect",
  "merge",
];

function make(random: Random): string[] {
  const bytes = random.pick([200_000, 500_000, 900_000]);
  const start = random.pick(starts);
  const fitting = { "[": "]", "{": "}", '"': '"', "'": "'" }[start.at(-1) ?? ""];
  const end = fitting !== undefined && random.once(2) ? fitting : random.pick(ends);
  const piece = random.pick(/[[{]$/.test(start) && random.once(2) ? bracketed : pieces);
  return [random.pick(carriers), start, piece, end, String(bytes)];
}

function repeated(piece: string, bytes: number): string {
  const count = Math.ceil(bytes / Math.max(1, piece.length));
  return piece.includes("%")
    ? Array.from({ length: count }, (_, at) => piece.replaceAll("%", String(at))).join("")
    : piece.repeat(count);
}

const release = (entries: string): string =>
  `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: t, namespace: ns}\nspec:\n  valuesFrom: ${entries}\n`;
const both = release("[{kind: ConfigMap, name: l0}, {kind: ConfigMap, name: l1}]");
const head = (name: string, notes = ""): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: ns${notes}}\n`;
const layer = (name: string, text: string, notes = ""): string =>
  `${head(name, notes)}data:\n  values.yaml: |2\n${text.replaceAll(/^/gm, "    ")}\n`;
const nested = `${Array.from({ length: 190 }, (_, at) => `${" ".repeat(at)}a:`).join("\n")} 1\n`;

interface Run {
  readonly input: string;
  readonly words: readonly string[];
}

function runOf([carrier = "", start = "", piece = "", end = "", size = ""]: readonly string[]): Run {
  const bytes = Number(size);
  const text = `${start}${repeated(piece, bytes)}${end}`;
  const fold = (input: string): Run => ({ input, words: ["fold"] });
  const stars = "**.a.".repeat(2 + ((piece.length + bytes / 100_000) % 12));
  const configured = (spec: string): Run => {
    const file = join(folder, "config.yaml");
    writeFileSync(file, `apiVersion: valuefold.dev/v1alpha1\nkind: ValueFold\nspec: ${spec}\n`);
    return {
      input: [layer("l0", nested), layer("l1", "b: 1"), both].join("---\n"),
      words: ["fold", "-c", file],
    };
  };
  switch (carrier) {
    case "json":
      return fold(
        [`${head("l0")}data: {"values.yaml": ${JSON.stringify(text)}}\n`, layer("l1", "b: 1"), both].join(
          "---\n",
        ),
      );
    case "in place":
      return fold(
        [head("t"), layer("l1", text, ", annotations: {valuefold.dev/into: ConfigMap/t}")].join("---\n"),
      );
    case "kpt comments":
      return {
        input: `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: l\n    namespace: ns\n    annotations:\n      internal.config.kubernetes.io/id: '1'\n      valuefold.dev/into: HelmRelease/t\n  data:\n${"    # c\n".repeat(bytes / 4)}    values.yaml: |\n      a: 1\n- apiVersion: helm.toolkit.fluxcd.io/v2\n  kind: HelmRelease\n  metadata:\n    name: t\n    namespace: ns\n    annotations:\n      internal.config.kubernetes.io/id: '2'\n  spec: {}\n`,
        words: [],
      };
    case "entries":
      return fold(
        [
          layer("l0", "a: 1"),
          layer("l1", "a: 2"),
          release(
            `\n${"  - {kind: ConfigMap, name: l0, optional: true}\n  - {kind: ConfigMap, name: l1}\n".repeat(bytes / 1000)}`,
          ),
        ].join("---\n"),
      );
    case "labels":
      return fold(
        [
          `${head("l0", `, labels: {${repeated("k%: v,", bytes / 4)}}`)}data: {values.yaml: "a: 1"}\n`,
          layer("l1", "b: 1"),
          both,
        ].join("---\n"),
      );
    case "deep path":
      return {
        ...fold([layer("l0", nested), layer("l1", "b: 1"), both].join("---\n")),
        words: ["explain", "HelmRelease/t", `${stars}q`],
      };
    case "protect":
      return configured(`{protect: [{path: "${stars}q", above: 50}]}`);
    case "merge":
      return configured(`{merge: [{path: "${stars}q", key: name}]}`);
    default:
      return fold([layer("l0", text), layer("l1", "b: 1\na: {c: 1}\n"), both].join("---\n"));
  }
}

function check(parts: readonly string[]): Failure | undefined {
  const { input, words } = runOf(parts);
  const file = join(folder, "input.yaml");
  writeFileSync(file, input);
  const { status, signal, stderr } = spawnSync(process.execPath, ["--require", probe, program, ...words], {
    stdio: [openSync(file, "r"), "ignore", "pipe"],
    timeout: 12_000,
    killSignal: "SIGKILL",
    maxBuffer: 1 << 28,
  });
  const said = stderr.toString("utf8");
  const [, peak = 0, cpu = 0] = (/\npeak (\d+) (\d+)\n/.exec(said) ?? []).map(Number);
  const detail = `status ${status} ${signal ?? ""}, ${Math.round(peak / 1024)} MiB, ${(cpu / 1e6).toFixed(1)} s CPU for ${Buffer.byteLength(input)} bytes; ${words.join(" ")}\n${said.slice(0, 400)}`;
  if (signal !== null) return { kind: `no end after 12 s (${parts[0]})`, detail };
  if (status === 2) return { kind: "exit 2", detail };
  if (cpu / 1e6 > mostSeconds) return { kind: `more than ${mostSeconds} s (${parts[0]})`, detail };
  const most = 256 * mebibyte + 12 * Buffer.byteLength(input);
  return peak * 1024 > most
    ? { kind: `more memory than 256 MiB and 12 times the input (${parts[0]})`, detail }
    : undefined;
}

test("large inputs end in time and memory", async () => {
  await hunt({ name: "sizes", cases: 5, make, check, isShrunk: false });
});
