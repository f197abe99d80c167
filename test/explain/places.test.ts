// True places: file, line and column of what the user wrote, whichever way it came in.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { runCommand } from "../../src/cli/commands.ts";
import type { Explanation } from "../../src/explanation.ts";
import { foldText } from "../support/fold.ts";
import { worldOf } from "../support/world.ts";

const release = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: shop, namespace: org}
spec: {}
`;

function layer(name: string, value: string, annotations = ""): string {
  return `apiVersion: v1
kind: ConfigMap
metadata:
  name: ${name}
  namespace: org
  annotations:
    valuefold.dev/into: HelmRelease/shop
${annotations}data:
  values.yaml: ${value}
`;
}

/** The lines of stderr that tell a place. */
function places(messages: string): string[] {
  const whole = messages.replaceAll(/\n {8}/g, " ");
  return [...whole.matchAll(/^ {2}(?:at|also) +(.*?)(?: \(layer.*)?$/gm)].map(([, place]) => place ?? "");
}

test("several files: each place is in the file that was named, in its own lines", async () => {
  const folder = mkdtempSync(join(tmpdir(), "valuefold-places-"));
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const files = [
    write("release.yaml", release),
    write("two.yaml", `${layer("a", "|\n    x: 1\n    y: {")}---\n${layer("b", "'- 1'")}`),
    write("three.yaml", layer("c", "|2-\n\n      # a comment\n      x:\n      \t- 1")),
  ];
  const ending = await runCommand(["fold", ...files], worldOf());
  expect(places(ending.messages)).toEqual([
    `ConfigMap/org/a values.yaml:2:4 in ${files[1]}:11:8`,
    `ConfigMap/org/b values.yaml:1:1 in ${files[1]}:21:16`,
    `ConfigMap/org/c values.yaml:4:3 in ${files[2]}:13:7`,
  ]);
  const broken = write("broken.yaml", "a: [1\n");
  const refused = await runCommand(["verify", files[0] ?? "", broken], worldOf());
  expect(places(refused.messages)).toEqual([`${broken}:1:4`]);
});

test("a stream: the document is numbered, and the line is one of the stream", () => {
  const { messages } = foldText(`${release}---\n# nothing\n---\n${layer("a", "|\n    - 1")}`);
  expect(places(messages)).toEqual(["ConfigMap/org/a values.yaml:1:1 in line 17 of the input (document 2)"]);
});

test("kustomize: the file that `originAnnotations` tell, in messages and results", () => {
  const origin = (text: string): string => `    config.kubernetes.io/origin: |\n      ${text}\n`;
  const item = (text: string): string => `- ${text.trimEnd().split("\n").join("\n  ")}\n`;
  const list = (...items: string[]): string =>
    `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n${items.map(item).join("")}`;
  const made = origin("configuredIn: overlay/kustomization.yaml");
  const { messages, output } = foldText(
    list(release, layer("a", "|\n    - 1", origin("path: base/a.yaml")), layer("b", "|\n    - 1", made)),
  );
  expect(places(messages)).toEqual([
    "ConfigMap/org/a values.yaml:1:1 in base/a.yaml",
    "ConfigMap/org/b values.yaml:1:1 in overlay/kustomization.yaml",
  ]);
  expect(output).toContain("file:\n    path: base/a.yaml\n");
  expect(output).toContain("file:\n    path: overlay/kustomization.yaml\n");
});

test(
  "explain: places are those of the file, whatever the block scalar and the line ends",
  { tags: "law" },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "valuefold-places-"));
    const blank = fc.constantFrom("", " ", "   ");
    const shape = fc.record({
      blanks: fc.array(blank, { maxLength: 3 }),
      between: fc.array(blank, { maxLength: 2 }),
      indent: fc.integer({ min: 1, max: 6 }),
      deeper: fc.integer({ min: 0, max: 3 }),
      indicated: fc.boolean(),
      chomp: fc.constantFrom("", "-", "+"),
      lineEnd: fc.constantFrom("\n", "\r\n"),
    });
    const property = fc.asyncProperty(shape, async (given) => {
      const { blanks, between, indent, deeper, chomp, lineEnd } = given;
      const indicator = given.indicated || deeper > 0 ? String(indent) : "";
      const own = " ".repeat(2 + indent + deeper);
      const lines = [
        ...`${release}---\n${layer("a", `|${indicator}${chomp}`)}`.trimEnd().split("\n"),
        // A blank line that is longer than the text is indented would say how deep that is.
        ...blanks.filter(({ length }) => length <= 2 + indent),
        `${own}x: 111`,
        ...between,
        `${own}y: {z: 222}`,
      ];
      const text = lines.map((line) => line + lineEnd).join("");
      const file = join(folder, "in.yaml");
      writeFileSync(file, text);
      const naive = ["111", "222"].map((value) => {
        const before = text.slice(0, text.indexOf(value)).split("\n");
        return `file ${before.length}:${(before.at(-1) ?? "").length + 1}`;
      });
      const ending = await runCommand(["explain", "--json", file], worldOf());
      const { targets } = JSON.parse(Buffer.concat(ending.output).toString("utf8")) as Explanation;
      const values = targets[0]?.stacks[0]?.values ?? [];
      expect(values.map(({ at }) => `${at?.of} ${at?.line}:${at?.column}`)).toEqual(naive);
    });
    await fc.assert(property, { numRuns: Number(process.env["VALUEFOLD_RUNS"] ?? 70) });
  },
);

test("a function config: its file, and that it is none", async () => {
  const folder = mkdtempSync(join(tmpdir(), "valuefold-places-"));
  const write = (name: string, text: string | Uint8Array): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const head = "apiVersion: valuefold.dev/v1alpha1\nkind: ValueFold\n";
  const stream = write("stream.yaml", `${release}---\n${layer("a", "|\n    x: 1")}`);
  const messagesOf = async (config: string): Promise<string> =>
    (await runCommand(["fold", "-c", config, stream], worldOf())).messages.replaceAll(
      "\n  ConfigMap",
      " ConfigMap",
    );
  const misspelt = write("misspelt.yaml", `${head}spec: {layer: prune}\n`);
  expect(await messagesOf(misspelt)).toContain(`  at    ${misspelt}:3:8\n`);
  const withSchemas = write("schemas.yaml", `${head}spec: {schemas: 1}\n`);
  expect(await messagesOf(withSchemas)).toContain(`  at    ${withSchemas}:3:8\n`);
  expect(await messagesOf(stream)).toContain(
    "expected a function config `valuefold.dev/v1alpha1/ValueFold` or a ConfigMap, got `helm.toolkit.fluxcd.io/v2/HelmRelease`",
  );
  const twice = write("twice.yaml", `${head}---\n${head}`);
  expect(await messagesOf(twice)).toContain("keep the settings of both in one document");
});

test.for([
  [Buffer.from("\uFEFFa: 1\n", "utf16le"), "got UTF-16"],
  [Buffer.from([0x1f, 0x8b, 8, 0, 0, 0]), "got gzip"],
  [Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 0xff]), "got other bytes"],
] as const)("a file that is no UTF-8 text: %#", async ([bytes, got]) => {
  const folder = mkdtempSync(join(tmpdir(), "valuefold-places-"));
  const [good, bad] = [join(folder, "good.yaml"), join(folder, "bad")];
  writeFileSync(good, release);
  writeFileSync(bad, bytes);
  const { messages, exitCode } = await runCommand(["fold", good, bad], worldOf());
  expect(exitCode).toBe(1);
  expect(messages).toContain(`expected UTF-8 text, ${got}`);
  expect(messages).toContain(`${bad}:1:`);
});
