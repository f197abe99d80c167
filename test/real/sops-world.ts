// Sealed layers made with real sops and age, in every shape that is opened; keys are made anew each run.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

export const tools = new URL(".tools/", import.meta.url).pathname;
const program = new URL("../../dist/valuefold.cjs", import.meta.url).pathname;

export interface Key {
  readonly file: string;
  readonly recipient: string;
}

export function makeKey(): Key {
  const file = join(mkdtempSync(join(tmpdir(), "valuefold-key-")), "keys.agekey");
  succeed("age-keygen", ["-o", file]);
  const recipient = /public key: (\S+)/.exec(readFileSync(file, "utf8"))?.[1] ?? "";
  return { file, recipient };
}

export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function run(
  command: string,
  args: readonly string[],
  { input = "", env = {}, cwd }: { input?: string; env?: NodeJS.ProcessEnv; cwd?: string } = {},
): Ran {
  const path = `${tools}bin${delimiter}${tools}${delimiter}${process.env["PATH"] ?? ""}`;
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    input,
    encoding: "utf8",
    maxBuffer: 1 << 28,
    env: { ...process.env, PATH: path, ...env },
    ...(cwd === undefined ? {} : { cwd }),
  });
  if (error !== undefined) throw error;
  return { status, stdout, stderr };
}

export function succeed(
  command: string,
  args: readonly string[],
  options?: Parameters<typeof run>[2],
): string {
  const { status, stdout, stderr } = run(command, args, options);
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${stderr}`);
  return stdout;
}

type Format = "yaml" | "json" | "binary";

export function seal(text: string, { recipient }: Key, input: Format, more: readonly string[] = []): string {
  const output = input === "yaml" ? "yaml" : "json";
  const formats = ["--input-type", input, "--output-type", output, "--filename-override", `x.${output}`];
  return succeed("sops", ["--config", "/dev/null", "encrypt", ...formats, "--age", recipient, ...more], {
    input: text,
  });
}

/** How a Secret with one value is sealed. */
export const shapes = [
  "manifest",
  "manifest with data",
  "manifest in JSON",
  "value in YAML",
  "value in JSON",
  "binary value",
] as const;
export type Shape = (typeof shapes)[number];

/** The data key a value of the shape stands under. */
export function keyOf(shape: Shape): string {
  if (shape === "value in JSON") return "values.json";
  return shape === "binary value" ? "values" : "values.yaml";
}

export function sealedSecret(name: string, text: string, shape: Shape, key: Key): string {
  const head = { apiVersion: "v1", kind: "Secret", metadata: { name, namespace: "org" } };
  const data = (value: string): object => ({
    data: { [keyOf(shape)]: Buffer.from(value, "utf8").toString("base64") },
  });
  const regex = ["--encrypted-regex", "^(data|stringData)$"];
  if (shape === "manifest")
    return seal(JSON.stringify({ ...head, stringData: { "values.yaml": text } }), key, "yaml", regex);
  if (shape === "manifest with data")
    return seal(JSON.stringify({ ...head, ...data(text) }), key, "yaml", regex);
  if (shape === "manifest in JSON")
    return seal(JSON.stringify({ ...head, ...data(text) }), key, "json", regex);
  const format = shape === "value in YAML" ? "yaml" : shape === "value in JSON" ? "json" : "binary";
  const { metadata } = head;
  const value = Object.entries(data(seal(text, key, format)))[0];
  return `apiVersion: v1\nkind: Secret\nmetadata: ${JSON.stringify(metadata)}\n${value?.[0]}: ${JSON.stringify(value?.[1])}\n`;
}

export function plainSecret(name: string, text: string, shape: Shape): string {
  return `apiVersion: v1\nkind: Secret\nmetadata: {name: ${name}, namespace: org}\nstringData:\n  ${keyOf(shape)}: ${JSON.stringify(text)}\n`;
}

export function release(entries: readonly { readonly name: string; readonly key: string }[]): string {
  const list = entries.map(({ name, key }) => `  - kind: Secret\n    name: ${name}\n    valuesKey: ${key}\n`);
  return `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata:\n  name: shop\n  namespace: org\nspec:\n  valuesFrom:\n${list.join("")}`;
}

/** @param sops the setting, as YAML flow text */
function configFile(sops: string): string {
  const file = join(mkdtempSync(join(tmpdir(), "valuefold-config-")), "fold.yaml");
  writeFileSync(
    file,
    `apiVersion: valuefold.dev/v1alpha1\nkind: ValueFold\nmetadata:\n  name: fold\nspec:\n  sops: ${sops}\n`,
  );
  return file;
}

export function foldStream(
  stream: string,
  sops: string,
  env: NodeJS.ProcessEnv,
  more: readonly string[] = [],
): Ran {
  return run(process.execPath, [program, "fold", "--quiet", "-c", configFile(sops), ...more], {
    input: stream,
    env,
  });
}

export function foldList(list: string, env: NodeJS.ProcessEnv): Ran {
  return run(process.execPath, [program], { input: list, env });
}

/** A folder with a `sops` of the test's own making. */
export function fakeSops(script: string): string {
  const folder = mkdtempSync(join(tmpdir(), "valuefold-sops-"));
  writeFileSync(join(folder, "sops"), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, "sops"), 0o755);
  return folder;
}
