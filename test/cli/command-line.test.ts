// The words on the command line: what they mean, what is said at their end, and in which form.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { commandNames, flagsOf } from "../../src/cli/flags.ts";
import { completionFor } from "../../src/cli/completion.ts";
import { helpOf, helpText } from "../../src/cli/help.ts";
import { parseCommandLine } from "../../src/cli/command-line.ts";
import { runCommand } from "../../src/cli/commands.ts";
import { questionIn } from "../../src/cli/question.ts";
import { worldOf } from "../support/world.ts";

const layers = ["a: {b: 1}\n", "a: {b: 2}\n"].map(
  (text, index) =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: l${index}, namespace: org, annotations: {valuefold.dev/into: HelmRelease/shop, valuefold.dev/priority: "${60 + index}"}}\ndata: {values.yaml: ${JSON.stringify(text)}}\n`,
);
const secret = `apiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: org}\nstringData: {values.yaml: "pass: hunter2"}\n`;
const release = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: shop, namespace: org}
spec:
  valuesFrom:
  - {kind: Secret, name: s}
  - {kind: ConfigMap, name: late}
  values:
    a:
      # on top
      c: 3
`;
const stream = [...layers, secret, release].join("---\n");

async function run(
  args: readonly string[],
  input = stream,
): Promise<{ exitCode: number; output: string; messages: string }> {
  const ending = await runCommand(args, worldOf(input));
  return { ...ending, output: Buffer.concat(ending.output).toString("utf8") };
}

test.for([
  [["fold"], "fold"],
  [["help"], "help"],
  [["version"], "version"],
  [["fold", "--help"], "help"],
  [["completion", "fish"], "completion"],
  [["values", "App/x", "-"], "values"],
  [["explain"], "explain"],
  [["diff", "main"], "diff"],
] as const)("%s", ([args, command]) => {
  expect(parseCommandLine(args).command).toBe(command);
});

test.for([
  [["verfy"], "unknown command `verfy`", "did you mean `verify`?"],
  [["bend"], "unknown command `bend`", undefined],
  [["toString", "--unfolded"], "unknown command `toString`", undefined],
  [["fold", "--strict"], "`--strict` is an option of `values`, `verify`, `render`", undefined],
  [["verify", "--previous", "x"], "`--previous` is an option of `fold`, `render`", undefined],
  [
    ["print", "all"],
    "`print`: expected one of name-reference, schema",
    "write one of them: valuefold print name-reference",
  ],
  [
    ["completion", "tcsh"],
    "`completion`: expected one of bash, zsh, fish",
    "write one of them: valuefold completion bash",
  ],
  [
    ["explain", "--html", "a.html", "-o", "b.html"],
    "expected one file of the output, got `b.html` and `a.html`",
    undefined,
  ],
  [
    ["explain", "-o", "xml"],
    "`-o`: expected text, json, markdown, yaml, html, name, got `xml`",
    "to write a file: --output-file xml",
  ],
  [
    ["explain", "-o", "md"],
    "`-o`: expected text, json, markdown, yaml, html, name, got `md`",
    "did you mean `-o markdown`?",
  ],
  [
    ["verify", "-o", "jsno"],
    "`-o`: expected text, json, github, junit, sarif, got `jsno`",
    "did you mean `-o json`?",
  ],
  [["fold", "-o", "yaml"], "`-o`: the output of `fold` has one form", "to write a file: --output-file yaml"],
  [["explain", ""], "an argument is empty", "is a variable of the shell not set?"],
  [["fold", "-o", "", "a.yaml"], "`--output` is empty", "is a variable of the shell not set?"],
  [
    ["values"],
    "expected a target: `Kind/name` or `Kind/namespace/name`",
    "name one: valuefold values HelmRelease/shop FILE...",
  ],
  [["fold", "--format", "xml"], "`--format`: expected text, json, github, sarif, got `xml`", undefined],
  [[], "expected a command", undefined],
  [["explain", "--json", "--annotate"], "expected one form of the output, got `json` and `yaml`", undefined],
  [
    ["verify", "--fix", "idle-value", "-o", "json"],
    "`--fix` prints what it deletes as text only",
    "leave `-o` out",
  ],
  [
    ["diff", "a", "b", "--format", "sarif"],
    "`-o`: expected text, json, markdown, got `sarif`",
    "to write a file: --output-file sarif",
  ],
] as const)("misused: %s", async ([args, message, given]) => {
  const [command] = args;
  const hint =
    given ??
    (commandNames.some((name) => name === command)
      ? `see valuefold ${command} --help`
      : "see valuefold --help");
  await expect(run(args)).rejects.toThrow(expect.objectContaining({ message, hint }));
});

test("what is printed is the file that the package holds", async () => {
  const { output } = await run(["print", "name-reference"]);
  expect(output).toBe(readFileSync(new URL("../../config/name-reference.yaml", import.meta.url), "utf8"));
});

describe("what happened", () => {
  test("targets, layers lowest first, results, and why a run ended", async () => {
    const { messages } = await run(["fold"]);
    expect(messages).toBe(`HelmRelease/org/shop
  ConfigMap/l0 (60) < ConfigMap/l1 (61) -> ConfigMap/org/shop-folded
  not folded: Secret/s (50) | ConfigMap/l0 (60): \`ConfigMap/late\` is between them and not in this build: the cluster binds it
folded 2 layers of 1 target into 1 item; 1 target in all; 1 reference to an object not in the list
`);
  });

  test("a split names its path, unless a Secret holds it", async () => {
    const split = (kind: string, data: string): string =>
      [
        release.replace(/ {2}values:[\s\S]*/, "").replace("  - {kind: Secret, name: s}\n", ""),
        ...["a: null\n", "a: {b: 1}\n"].map(
          (text, index) =>
            `apiVersion: v1\nkind: ${kind}\nmetadata: {name: p${index}, namespace: org, annotations: {valuefold.dev/into: HelmRelease/shop, valuefold.dev/priority: "${80 + index}"}}\n${data}: {values.yaml: ${JSON.stringify(text)}}\n`,
        ),
      ].join("---\n");
    const told =
      "is a mapping in the upper layer and not in the lower one, and a still lower layer may have one";
    expect((await run(["fold"], split("ConfigMap", "data"))).messages).toContain(`\`a\` ${told}`);
    const { messages } = await run(["fold"], split("Secret", "stringData"));
    expect([messages.includes(`a path ${told}`), messages.includes("`a`")]).toEqual([true, false]);
  });

  test("nothing with --quiet, and nothing where nothing folded", async () => {
    expect((await run(["fold", "-q"])).messages).toBe("");
    expect((await run(["fold"], release)).messages).toBe("");
  });

  test("verify says what there was to verify", async () => {
    const { output } = await run(["fold"]);
    expect((await run(["verify"], output)).messages).toBe(
      "1 reference to an object not in the list, which the cluster must have (--strict lists them)\nchecked 1 folded item of 1 target, made of 2 layers; nothing found\n",
    );
    expect((await run(["verify", "--strict"], output)).messages).toMatch(
      /^error\[unresolved-reference\].*late/,
    );
    const { output: report } = await run(["verify", "--format", "json"], output);
    expect(JSON.parse(report)).toMatchObject({
      diagnostics: [{ code: "unresolved-reference", severity: "info" }],
    });
    expect(
      (await run(["verify", "-q"], output.replace(/ {2}- \{kind: ConfigMap, name: late\}\n/, ""))).messages,
    ).toBe("");
  });
});

describe("values", () => {
  test("what the consumer computes, less Secrets, inline values on top", async () => {
    const { output, messages, exitCode } = await run(["values", "HelmRelease/shop"]);
    expect([exitCode, output]).toEqual([0, "a:\n  b: 2\n  # on top\n  c: 3\n"]);
    expect(messages).toMatch(/^warning\[values-missing\]: values of `Secret\/org\/s` .* are left out$/m);
    expect(messages).toMatch(/^warning\[values-missing\]: `ConfigMap\/late` is not in the list/m);
    const folded = (await run(["fold"])).output;
    expect((await run(["values", "HelmRelease/org/shop", "-"], folded)).output).toBe(output);
  });

  test.for([
    [
      "  userConfig: {configMap: {name: own, namespace: org}}\n",
      /`ConfigMap\/org\/own` is in the slot `userConfig`/,
    ],
    ["  config: {configMap: {name: late, namespace: org}}\n", /`ConfigMap\/org\/late` is not in the list/],
  ] as const)("an App says what is missing, though nothing else is there: %s", async ([slot, message]) => {
    const app = `apiVersion: application.giantswarm.io/v1alpha1\nkind: App\nmetadata: {name: shop, namespace: org}\nspec:\n  name: shop\n  catalog: default\n${slot}`;
    const own =
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: own, namespace: org}\ndata: {values: "a: 1"}\n';
    const { exitCode, messages } = await run(["values", "App/shop"], `${app}---\n${own}`);
    expect(exitCode).toBe(0);
    expect(messages).toMatch(message);
  });

  test("Secrets only where they are asked for", async () => {
    expect((await run(["values", "HelmRelease/shop"])).output).not.toContain("hunter2");
    expect((await run(["values", "--secrets", "HelmRelease/shop"])).output).toBe(
      "pass: hunter2\na:\n  b: 2\n  # on top\n  c: 3\n",
    );
  });

  test("a ConfigMap target holds its own; a Secret's is not printed unasked", async () => {
    const own = layers.map((text) => text.replace("HelmRelease/shop", "ConfigMap/own")).join("---\n");
    const target =
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: own, namespace: org}\ndata: {values.yaml: "x: 1\\n"}\n';
    expect((await run(["values", "ConfigMap/own"], `${own}---\n${target}`)).output).toBe(
      "x: 1\na:\n  b: 2\n",
    );
    const hidden = `${own}---\n${target}`
      .replaceAll("ConfigMap", "Secret")
      .replaceAll("\ndata: {", "\nstringData: {");
    const { exitCode, output } = await run(["values", "Secret/own"], hidden);
    expect([exitCode, output]).toEqual([1, ""]);
    expect((await run(["values", "--secrets", "Secret/own"], hidden)).output).toBe("x: 1\na:\n  b: 2\n");
  });

  test.for<[string, string]>([
    ["HelmRelease/shp", "did you mean `HelmRelease/shop`?"],
    ["Deployment/web", "the list has `HelmRelease/org/shop`"],
  ])("a target that is not there: %s", async ([target, hint]) => {
    const { exitCode, output, messages } = await run(["values", target]);
    expect([exitCode, output]).toEqual([1, ""]);
    expect(messages).toContain(`hint  ${hint}`);
  });
});

describe("forms of diagnostics", () => {
  const broken = stream.replace("a: {b: 2}", "- 1");

  test("json and sarif are one document each, and hold no value of a Secret", async () => {
    const json = JSON.parse((await run(["fold", "--format", "json"], broken)).messages) as {
      diagnostics: object[];
    };
    expect(json.diagnostics[0]).toMatchObject({
      code: "not-a-mapping",
      severity: "error",
      at: { text: "ConfigMap/org/l1 values.yaml", source: { document: 2, line: 9 } },
    });
    const { messages } = await run(["fold", "--format", "sarif"], broken);
    expect(messages).not.toContain("hunter2");
    const sarif = JSON.parse(messages) as { runs: { results: object[] }[] };
    expect(sarif.runs[0]?.results[0]).toMatchObject({ ruleId: "not-a-mapping", level: "error" });
  });

  test("annotations of a workflow stand on one line each", async () => {
    const { messages } = await run(["fold", "--format", "github"], broken);
    expect(messages).toMatch(
      /^::error title=not-a-mapping::expected a mapping [^\n]*%0Aat ConfigMap\/org\/l1 [^\n]*\n$/,
    );
  });

  test("verify writes its report to stdout, where there is no list", async () => {
    const { output, messages, exitCode } = await run(["verify", "-o", "json"]);
    expect([exitCode, messages]).toEqual([1, ""]);
    const codes = (JSON.parse(output) as { diagnostics: { code: string }[] }).diagnostics.map(
      ({ code }) => code,
    );
    expect(codes).toEqual(["layer-left", "layer-left", "unresolved-reference"]);
  });

  test("junit: a failed test for each error, a passed one for a warning or for nothing", async () => {
    const { output } = await run(["verify", "-o", "junit"]);
    expect(output).toContain('<testsuite name="valuefold" tests="3" failures="2">');
    expect(output).toMatch(/<failure message="[^"<]+" type="layer-left">/);
    expect(output).toMatch(/<system-out>[^<]+<\/system-out>/);
    const clean = await run(["verify", "-o", "junit"], "kind: A\nmetadata: {name: a}\n");
    expect(clean.output).toContain('<testcase classname="valuefold" name="verify"/>');
  });

  test("junit holds no character that XML knows, and none that it forbids", async () => {
    const hostile =
      'kind: App<&>\nmetadata: {name: "a\\u0007", annotations: {valuefold.dev/into: \'<"&\'}}\n';
    const { output } = await run(["verify", "-o", "junit"], hostile);
    expect(output.replaceAll(/<[^>]*>|&(?:amp|lt|gt|quot|#10);/g, "")).not.toMatch(/[<>&"]/);
    expect(output.split("").filter((each) => each < " " && each !== "\n")).toEqual([]);
  });
});

test("explain -o name: each target once; -o yaml and -o html are the forms of earlier flags", async () => {
  expect((await run(["explain", "-o", "name", "-"])).output).toBe("HelmRelease/org/shop\n");
  const [yaml, annotated] = [
    await run(["explain", "-o", "yaml", "-"]),
    await run(["explain", "--annotate", "-"]),
  ];
  expect([yaml.output, yaml.messages]).toEqual([annotated.output, annotated.messages]);
  expect((await run(["explain", "-o", "html", "-"])).output).toMatch(/^<!doctype html>/i);
  expect((await run(["values", "-o", "json", "HelmRelease/shop", "-"])).output).toBe(
    '{\n  "a": {\n    "b": 2,\n    "c": 3\n  }\n}\n',
  );
});

test("a page is not written to a terminal", async () => {
  const world = { ...worldOf(stream), terminal: { stdin: false, stdout: true } };
  await expect(runCommand(["explain", "-o", "html", "-"], world)).rejects.toThrow("`-o html` is a page");
});

test("--color decides over the environment", async () => {
  const world = { ...worldOf(stream), env: { NO_COLOR: "1" } };
  const { messages } = await runCommand(["verify", "--color", "always"], world);
  expect(messages).toContain("\u001b[");
  const forced = await runCommand(["verify", "--color", "never"], { ...world, env: { FORCE_COLOR: "1" } });
  expect(forced.messages).not.toContain("\u001b[");
});

test.for(commandNames)("help and completion know %s, its flags and the words that it takes", (command) => {
  const own = flagsOf(command);
  const [help, fish, bash] = [helpText(), completionFor("fish"), completionFor("bash")];
  expect(help).toContain(`\n  ${command} `);
  const page = helpOf([command]);
  for (const text of [help, page])
    expect(
      text.split("\n").filter((line) => line.length > 80 && !/^ {2}\S.* \| |^more: /.test(line)),
    ).toEqual([]);
  const unwrapped = page.replaceAll(/\n {8,}/g, " ");
  expect(fish).toContain(` -a ${command} -d '`);
  for (const { name, about, oneOf = [] } of own) {
    expect(page).toMatch(new RegExp(` --${name}\\b`));
    expect(unwrapped).toContain(about);
    const line = fish.split("\n").find((each) => each.includes(`from ${command}" -l ${name} `)) ?? "";
    expect(line).toContain(oneOf.join(" "));
    expect(bash).toMatch(new RegExp(`^ +${command}\\) words=".*--${name}\\b.*$`, "m"));
  }
});

const completed: readonly (readonly [words: readonly string[], expected: readonly string[]])[] = [
  [["v"], ["verify", "values", "version"]],
  [
    ["install", "--"],
    ["--help", "--version"],
  ],
  [
    ["fold", "--format", ""],
    ["text", "json", "github", "sarif"],
  ],
  [
    ["diff", "-o", ""],
    ["text", "json", "markdown"],
  ],
  [
    ["completion", ""],
    ["bash", "zsh", "fish", "--output-file", "--help", "--version"],
  ],
  [["print", "n"], ["name-reference"]],
  [["fold", "package.j"], ["package.json"]],
];

test.for(completed)("bash completes %j", ([words, expected]) => {
  const line = ["valuefold", ...words].map((word) => `'${word}'`).join(" ");
  const script = `${completionFor("bash")}\nCOMP_WORDS=(${line})\nCOMP_CWORD=${words.length}\n_valuefold\nprintf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = spawnSync("bash", ["-c", script], { encoding: "utf8" });
  expect(stdout.trim().split("\n").toSorted()).toEqual(expected.toSorted());
});

test("zsh completes by the script of bash", () => {
  expect(completionFor("zsh")).toContain(completionFor("bash"));
});

describe("the words after explain", () => {
  test.for([
    [[], undefined, undefined, []],
    [["App/x"], "App/x", undefined, []],
    [["App/ns/x", "a.b", "-"], "App/ns/x", "a.b", ["-"]],
    [["overlays/prod"], undefined, undefined, ["overlays/prod"]],
    [["App/x", "overlays/prod"], "App/x", undefined, ["overlays/prod"]],
    [["App/x.yaml"], undefined, undefined, ["App/x.yaml"]],
    [["a.b", "one.yaml", "two.json"], undefined, "a.b", ["one.yaml", "two.json"]],
    [['notes["a/b"]', "."], undefined, 'notes["a/b"]', ["."]],
    [["./Folder/x"], undefined, undefined, ["./Folder/x"]],
    [["App/x", "overlays", "a.b"], "App/x", "a.b", ["overlays"]],
    [["App/x", "a.b", "overlays"], "App/x", "a.b", ["overlays"]],
  ] as const)("%j, where `overlays` exists", ([words, target, path, files]) => {
    expect(questionIn(words, (name) => name === "overlays")).toEqual({
      ...(target === undefined ? {} : { target }),
      ...(path === undefined ? {} : { path }),
      files,
    });
  });

  test("colours are for terminals that want them", async () => {
    const told = async (stdout: boolean, env: Record<string, string>): Promise<string> => {
      const world = worldOf(stream, { terminal: { stdin: false, stdout }, env });
      return Buffer.concat((await runCommand(["explain", "-"], world)).output).toString("utf8");
    };
    const plain = await told(false, {});
    expect(plain).not.toContain("\u001b");
    expect(await told(true, { NO_COLOR: "1" })).toBe(plain);
    const painted = await told(true, {});
    // oxlint-disable-next-line no-control-regex -- naming control characters is the point
    expect(painted.replaceAll(/\u001b\[\d+m/g, "")).toBe(plain);
    expect(painted).not.toBe(plain);
  });

  test("nothing to explain is said, and so is a directory without manifests", async () => {
    const { exitCode, messages } = await run(
      ["explain", "-"],
      "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n",
    );
    expect([exitCode, messages]).toEqual([0, "nothing to explain: found no target with values\n"]);
    await expect(run(["explain", "./test/support/none/"])).rejects.toThrow(/does not exist/);
    await expect(run(["explain", "./src/explain/page/client"])).resolves.toBeDefined();
    await expect(run(["explain", "./src/yaml"])).rejects.toThrow(
      "`src/yaml` has neither a kustomization nor manifests",
    );
  });

  test("messages come in the form that was asked for", async () => {
    const broken = stream.replace("hunter2", "[").replace("a: {b: 2}", "a: [");
    const { messages } = await run(["explain", "--format", "json", "-"], broken);
    expect(JSON.parse(messages)).toMatchObject({ version: 1 });
    expect((await run(["explain", "--format", "github", "-"], broken)).messages).toMatch(
      /^::(?:error|warning) /,
    );
  });
});

test.for([
  [["fold", "-c", "-", "a.yaml"]],
  [["verify", "-c", "-"]],
  [["values", "-c", "-", "App/x"]],
] as const)("settings of %j are not read from where the list is", ([words]) => {
  const hint = "name a file with the config";
  expect(() => parseCommandLine(words)).toThrow(
    expect.objectContaining({ message: "`-c -`: stdin is the input", hint }),
  );
});
