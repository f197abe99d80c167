// Real sops and age: open, fold, seal, open again is the plain fold, for every shape, in every pipeline; what
// is sealed is opened by the code Flux uses; what cannot be opened is told, and nothing is written.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { sopsWith } from "../../src/core/sops/program.ts";
import { foldText } from "../support/fold.ts";
import {
  fakeSops,
  foldList,
  foldStream,
  keyOf,
  makeKey,
  plainSecret,
  release,
  run,
  seal,
  sealedSecret,
  type Shape,
  shapes,
  succeed,
  tools,
} from "./sops-world.ts";

const key = makeKey();
const stranger = makeKey();
const env = { SOPS_AGE_KEY_FILE: key.file, HOME: mkdtempSync(join(tmpdir(), "valuefold-home-")) };
const sealing = `{seal: {age: [${key.recipient}]}}`;

const lower = '{"db": {"user": "app", "password": "hunter2"}, "replicas": 1, "tags": ["a"]}\n';
const upper = '{"db": {"password": "hunter3", "port": 5432}, "tags": [], "debug": null}\n';
const merged = {
  db: { user: "app", password: "hunter3", port: 5432 },
  replicas: 1,
  tags: [],
  debug: null,
};

interface Item {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: { readonly [key: string]: string };
  readonly stringData?: { readonly [key: string]: string };
  readonly sops?: object;
  readonly spec?: { readonly valuesFrom: readonly { readonly name: string }[] };
}

function itemsOf(stream: string): Item[] {
  const documents = stream.split(/^---\n/m).map((text) => parse(text) as Item & { items?: Item[] });
  return documents.flatMap((each) => each.items ?? [each]);
}

function foldedIn(stream: string): Item {
  const found = itemsOf(stream).find(({ metadata }) => metadata.name.startsWith("shop-folded"));
  if (found === undefined) throw new Error("nothing was folded");
  return found;
}

/** The folded value, opened by the code Flux uses. */
function openedValue(stream: string): unknown {
  const item = foldedIn(stream);
  expect(item.sops).toBeDefined();
  const opened = JSON.parse(succeed(`${tools}sops-oracle`, [], { input: JSON.stringify(item), env })) as Item;
  expect(opened.sops).toBeUndefined();
  const text =
    opened.stringData?.["values.yaml"] ??
    Buffer.from(opened.data?.["values.yaml"] ?? "", "base64").toString();
  return parse(text);
}

function streamOf(shape: Shape, other: Shape = shape): string {
  const entries = [
    { name: "a", key: keyOf(shape) },
    { name: "b", key: keyOf(other) },
  ];
  return [sealedSecret("a", lower, shape, key), sealedSecret("b", upper, other, key), release(entries)].join(
    "---\n",
  );
}

function listOf(stream: string, sops: string): string {
  const items = stream.split(/^---\n/m).map((text) => `- ${text.trimEnd().split("\n").join("\n  ")}\n`);
  return `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n${items.join("")}functionConfig:\n  apiVersion: valuefold.dev/v1alpha1\n  kind: ValueFold\n  spec:\n    sops: ${sops}\n`;
}

describe("open, fold, seal, open", () => {
  const pairs = shapes.flatMap((shape, index) => [
    [shape, shape] as const,
    [shape, shapes[(index + 1) % shapes.length] as Shape] as const,
  ]);

  test.for(pairs)("%s under %s: a plain stream", ([one, other]) => {
    const plain = [plainSecret("a", lower, one), plainSecret("b", upper, other)].join("---\n");
    const entries = [one, other].map((shape, index) => ({ name: "ab"[index] as string, key: keyOf(shape) }));
    const expected = foldedIn(foldText(`${plain}---\n${release(entries)}`).output);
    const { status, stdout, stderr } = foldStream(streamOf(one, other), sealing, env);
    expect([status, stderr]).toEqual([0, ""]);
    const value = openedValue(stdout);
    expect(value).toEqual(parse(Buffer.from(expected.data?.["values.yaml"] ?? "", "base64").toString()));
    expect(value).toEqual(merged);
    expect(foldStream(stdout, sealing, env).stdout).toBe(stdout);
    expect(stdout).not.toMatch(/hunter|password/);
  });

  test.for(shapes)("%s: without `sops.seal`, for whom all layers are sealed", (shape) => {
    const { status, stdout } = foldStream(streamOf(shape), "{}", env);
    expect([status, JSON.stringify(foldedIn(stdout).sops).includes(key.recipient)]).toEqual([0, true]);
    expect(openedValue(stdout)).toEqual(merged);
  });

  test.for(shapes)("%s: a ResourceList, in YAML and in JSON", (shape) => {
    const list = listOf(streamOf(shape), sealing);
    const once = foldList(list, env);
    expect([once.status, once.stderr]).toEqual([0, ""]);
    expect(openedValue(once.stdout)).toEqual(merged);
    expect(foldList(once.stdout, env).stdout).toBe(once.stdout);
    const json = foldList(JSON.stringify(parse(list)), env);
    expect([json.status, json.stderr]).toEqual([0, ""]);
    expect(openedValue(json.stdout)).toEqual(merged);
    expect(foldList(json.stdout, env).stdout).toBe(json.stdout);
  });

  test("partly encrypted manifests, and a plain layer among sealed ones", () => {
    const manifest = {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "a", namespace: "org" },
      stringData: { "values.yaml": lower, note: "plain" },
    };
    const partly = seal(JSON.stringify(manifest), key, "yaml", ["--encrypted-regex", "^values"]);
    const stream = [
      partly,
      plainSecret("b", upper, "manifest"),
      release(["a", "b"].map((name) => ({ name, key: "values.yaml" }))),
    ].join("---\n");
    const { status, stdout } = foldStream(stream, sealing, env);
    expect(status).toBe(0);
    expect(openedValue(stdout)).toEqual(merged);
  });

  test("what Flux fills in stays where Flux fills it in, under seal", () => {
    const a = sealedSecret("a", "a: ${one}\n", "manifest", key);
    const b = sealedSecret("b", "b: ${two}\n", "manifest", key);
    const { stdout } = foldStream(
      [a, b, release(["a", "b"].map((name) => ({ name, key: "values.yaml" })))].join("---\n"),
      sealing,
      env,
    );
    expect(Object.keys(foldedIn(stdout).stringData ?? {})).toEqual(["values.yaml"]);
    expect(openedValue(stdout)).toEqual({ a: "${one}", b: "${two}" });
  });

  test("a seal is kept as long as neither values nor recipients change", () => {
    const list = listOf(streamOf("manifest"), sealing);
    const once = foldList(list, env).stdout;
    const both = foldList(
      once.replace(`[${key.recipient}]`, `["${key.recipient}", "${stranger.recipient}"]`),
      env,
    ).stdout;
    expect(foldedIn(both).data).not.toEqual(foldedIn(once).data);
    expect(JSON.stringify(foldedIn(both).sops)).toContain(stranger.recipient);
    expect(openedValue(both)).toEqual(merged);
    const layer = sealedSecret("c", '{"replicas": 7}\n', "manifest", key).replace(
      "metadata:",
      "metadata:\n    annotations:\n        valuefold.dev/into: HelmRelease/shop",
    );
    const more = foldList(
      once.replace("items:\n", `items:\n- ${layer.trimEnd().split("\n").join("\n  ")}\n`),
      env,
    );
    expect([more.status, more.stderr]).toEqual([0, ""]);
    expect(openedValue(more.stdout)).toEqual({ ...merged, replicas: 7 });
  });

  test("two builds give equal names, and equal bytes with the earlier output at hand", () => {
    const config = "{}\n  output: {hashSuffix: true}";
    const stream = streamOf("value in YAML");
    const [one, two] = [foldStream(stream, config, env).stdout, foldStream(stream, config, env).stdout];
    expect([two === one, foldedIn(two).metadata.name]).toEqual([false, foldedIn(one).metadata.name]);
    const file = join(mkdtempSync(join(tmpdir(), "valuefold-previous-")), "rendered.yaml");
    writeFileSync(file, one);
    expect(foldStream(stream, config, env, ["--previous", file]).stdout).toBe(one);
  });

  test("kustomize renames, labels and moves what is folded, and sops opens it by hand", () => {
    const tree = mkdtempSync(join(tmpdir(), "valuefold-by-hand-"));
    writeFileSync(join(tree, "rendered.yaml"), foldStream(streamOf("value in YAML"), "{}", env).stdout);
    writeFileSync(
      join(tree, "kustomization.yaml"),
      "resources: [rendered.yaml]\nnamePrefix: eu-\nnamespace: prod\nlabels: [{pairs: {team: edge}}]\ncommonAnnotations: {owner: us}\n",
    );
    const { stdout } = run("kustomize", ["build", tree]);
    const folded = stdout.split(/^---\n/m).find((text) => text.includes("name: eu-shop-folded")) ?? "";
    expect(folded).toContain("team: edge");
    const formats = ["--input-type", "yaml", "--output-type", "json"];
    const opened = run("sops", ["--config", "/dev/null", "decrypt", ...formats], { input: folded, env });
    expect([opened.status, opened.stderr]).toEqual([0, ""]);
    const { data } = JSON.parse(opened.stdout) as { data: { [key: string]: string } };
    expect(parse(Buffer.from(data["values.yaml"] ?? "", "base64").toString())).toEqual(merged);
  });

  test("with `allowPlaintext` the result is a Secret like any other", () => {
    const { status, stdout } = foldStream(streamOf("manifest"), "{allowPlaintext: true}", env);
    const item = foldedIn(stdout);
    expect([status, item.sops]).toEqual([0, undefined]);
    expect(parse(Buffer.from(item.data?.["values.yaml"] ?? "", "base64").toString())).toEqual(merged);
  });

  test("identities from a mounted folder, one or several", () => {
    const folder = mkdtempSync(join(tmpdir(), "valuefold-keys-"));
    cpSync(key.file, join(folder, "ci.agekey"));
    const bare = { HOME: env.HOME };
    const settings = `{seal: {age: [${key.recipient}]}, keys: ${folder}}`;
    expect(openedValue(foldStream(streamOf("manifest"), settings, bare).stdout)).toEqual(merged);
    cpSync(stranger.file, join(folder, "an other's.agekey"));
    // Keys in a Secret often lack their last newline.
    for (const name of ["ci.agekey", "an other's.agekey"])
      writeFileSync(join(folder, name), readFileSync(join(folder, name), "utf8").trimEnd());
    expect(openedValue(foldStream(streamOf("manifest"), settings, bare).stdout)).toEqual(merged);
  });
});

test("PGP, by its own keyring and by a folder of keys; the keyring made for it is gone afterwards", () => {
  const home = mkdtempSync(join(tmpdir(), "gnupg-"));
  const gnupg = { ...env, GNUPGHOME: home };
  const uid = "ci@example.com";
  succeed("gpg", ["--batch", "--passphrase", "", "--quick-gen-key", uid, "default", "default", "never"], {
    env: gnupg,
  });
  const listed = succeed("gpg", ["--batch", "--with-colons", "--list-keys", uid], { env: gnupg });
  const fingerprint = /^fpr:+([0-9A-F]+):/m.exec(listed)?.[1] ?? "";
  const settings = `{seal: {pgp: ["${fingerprint}"]}}`;
  const { status, stdout, stderr } = foldStream(streamOf("manifest"), settings, gnupg);
  expect([status, stderr]).toEqual([0, ""]);
  const folder = mkdtempSync(join(tmpdir(), "valuefold-keys-"));
  writeFileSync(
    join(folder, "ci.asc"),
    succeed("gpg", ["--batch", "--armor", "--export-secret-keys", uid], { env: gnupg }),
  );
  cpSync(key.file, join(folder, "ci.agekey"));
  const temporary = mkdtempSync(join(tmpdir(), "valuefold-tmp-"));
  const bare = { HOME: env.HOME };
  expect(
    foldStream(streamOf("manifest"), `{seal: {pgp: ["${fingerprint}"]}, keys: ${folder}}`, bare).status,
  ).toBe(0);
  const again = foldStream(stdout, `{allowPlaintext: true, keys: ${folder}}`, {
    HOME: env.HOME,
    TMPDIR: temporary,
  });
  expect([again.status, again.stderr]).toEqual([0, ""]);
  const value = Buffer.from(foldedIn(again.stdout).data?.["values.yaml"] ?? "", "base64").toString();
  expect(parse(value)).toEqual(merged);
  expect(readdirSync(temporary).filter((name) => name.startsWith("valuefold-gnupg"))).toEqual([]);
});

describe("pipelines", () => {
  const functionOf = (sops: string): string =>
    `apiVersion: valuefold.dev/v1alpha1\nkind: ValueFold\nmetadata:\n  name: fold\n  annotations:\n    config.kubernetes.io/function: "exec: {path: valuefold}"\nspec:\n  sops: ${sops}\n`;

  test.for(shapes)("%s: kustomize, which reorders keys and adds labels", (shape) => {
    const folder = mkdtempSync(join(tmpdir(), "valuefold-tree-"));
    const [a = "", b = "", hr = ""] = streamOf(shape).split(/^---\n/m);
    writeFileSync(join(folder, "a.yaml"), a);
    writeFileSync(join(folder, "b.yaml"), b);
    writeFileSync(join(folder, "release.yaml"), hr);
    writeFileSync(join(folder, "fold.yaml"), functionOf(sealing));
    writeFileSync(
      join(folder, "kustomization.yaml"),
      "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [a.yaml, b.yaml, release.yaml]\nlabels:\n- pairs: {team: edge}\ntransformers: [fold.yaml]\n",
    );
    const args = ["build", "--enable-alpha-plugins", "--enable-exec", folder];
    const { status, stdout, stderr } = run("kustomize", args, { env });
    expect([status, stderr]).toEqual([0, ""]);
    expect(openedValue(stdout)).toEqual(merged);
    // An overlay adds a label to everything, which is not under the MAC.
    const overlay = join(folder, "overlay");
    mkdirSync(overlay);
    writeFileSync(
      join(overlay, "kustomization.yaml"),
      "resources: [rendered.yaml]\nlabels:\n- pairs: {more: label}\n",
    );
    writeFileSync(join(overlay, "rendered.yaml"), stdout);
    expect(openedValue(succeed("kustomize", ["build", overlay], { env }))).toEqual(merged);
  });

  test.for(["manifest", "value in YAML", "value in JSON"] as const)("%s: kpt, again and again", (shape) => {
    const folder = mkdtempSync(join(tmpdir(), "valuefold-package-"));
    const [a = "", b = "", hr = ""] = streamOf(shape).split(/^---\n/m);
    writeFileSync(join(folder, "a.yaml"), a);
    writeFileSync(join(folder, "b.yaml"), b);
    writeFileSync(join(folder, "release.yaml"), hr);
    const local = '  annotations:\n    config.kubernetes.io/local-config: "true"\n';
    writeFileSync(
      join(folder, "fold.yaml"),
      `apiVersion: valuefold.dev/v1alpha1\nkind: ValueFold\nmetadata:\n  name: fold\n${local}spec:\n  sops: ${sealing}\n`,
    );
    writeFileSync(
      join(folder, "Kptfile"),
      "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: x\npipeline:\n  mutators:\n  - exec: valuefold\n    configPath: fold.yaml\n",
    );
    const render = (): void =>
      void succeed("kpt", ["fn", "render", "--allow-exec", "."], { env, cwd: folder });
    render();
    const file = join(folder, "secret_shop-folded.yaml");
    const once = readFileSync(file, "utf8");
    expect(openedValue(once)).toEqual(merged);
    render();
    expect(readFileSync(file, "utf8")).toBe(once);
  });
});

test("examples/sops does what it says", () => {
  const folder = new URL("../../examples/sops/", import.meta.url).pathname;
  const file = join(folder, "throw-away.agekey");
  const args = ["build", "--enable-alpha-plugins", "--enable-exec", join(folder, "overlays/prod")];
  const { status, stdout, stderr } = run("kustomize", args, { env: { ...env, SOPS_AGE_KEY_FILE: file } });
  expect([status, stderr]).toEqual([0, ""]);
  const opened = succeed(`${tools}sops-oracle`, [], {
    input: JSON.stringify(foldedIn(stdout)),
    env: { ...env, SOPS_AGE_KEY_FILE: file },
  });
  const text = Buffer.from((JSON.parse(opened) as Item).data?.["values.yaml"] ?? "", "base64").toString();
  expect(text).toBe(readFileSync(join(folder, "expected/values.yaml"), "utf8"));
});

test("verify opens what the build's own settings open, if its programs may run", () => {
  const folder = new URL("../../examples/sops/", import.meta.url).pathname;
  const own = { ...env, SOPS_AGE_KEY_FILE: join(folder, "throw-away.agekey") };
  const { status, stderr } = run("valuefold", ["verify", "--enable-exec", join(folder, "overlays/prod")], {
    env: own,
  });
  expect([status, stderr]).toEqual([
    0,
    "info[not-built]: keys not checked: chart shop is not here (--chart)\nchecked 1 target in 1 build; nothing found\n",
  ]);
});

test("a configuration of SOPS that lies around has no say", () => {
  const cwd = mkdtempSync(join(tmpdir(), "valuefold-cwd-"));
  writeFileSync(join(cwd, ".sops.yaml"), "creation_rules: [{path_regex: [}\n");
  const list = listOf(streamOf("value in YAML"), sealing);
  const { status, stdout } = run(
    process.execPath,
    [new URL("../../dist/valuefold.cjs", import.meta.url).pathname],
    { input: list, env, cwd },
  );
  expect(status).toBe(0);
  expect(openedValue(stdout)).toEqual(merged);
});

describe("what cannot be opened", () => {
  const fault = (stream: string, sops = sealing, more: NodeJS.ProcessEnv = {}): string => {
    const environment = { ...env, ...more };
    const { status, stdout, stderr } = foldStream(stream, sops, environment);
    expect([status, stdout]).toEqual([1, ""]);
    const list = listOf(stream, sops);
    const answer = foldList(list, environment);
    expect([answer.status, answer.stdout.startsWith(list.trimEnd())]).toEqual([1, true]);
    expect(stderr + answer.stdout.slice(list.length)).not.toMatch(/hunter|ENC\[|age1/);
    return /error\[([a-z-]+)\]/.exec(stderr)?.[1] ?? stderr;
  };

  test("is told, where it would be folded", () => {
    const stream = streamOf("manifest");
    const value = streamOf("value in YAML");
    expect(fault(stream, sealing, { SOPS_AGE_KEY_FILE: stranger.file })).toBe("sops-failed");
    const unshared = [
      sealedSecret("a", lower, "manifest", key),
      sealedSecret("b", upper, "manifest", stranger),
      release(["a", "b"].map((name) => ({ name, key: "values.yaml" }))),
    ].join("---\n");
    const identities = readFileSync(key.file, "utf8") + readFileSync(stranger.file, "utf8");
    expect(fault(unshared, "{}", { SOPS_AGE_KEY_FILE: "", SOPS_AGE_KEY: identities })).toBe("seal-missing");
    const nowhere = mkdtempSync(join(tmpdir(), "valuefold-path-"));
    expect(fault(stream, sealing, { PATH: nowhere })).toBe("sops-failed");
    expect(fault(stream.replace(/(values\.yaml: ENC\[AES256_GCM,data:).{4}/, "$1AAAA"))).toBe(
      "sops-malformed",
    );
    expect(
      fault(
        value.replace(/("values\.yaml":")([^"]+)/, (_, head: string, data: string) => head + tampered(data)),
      ),
    ).toBe("sops-malformed");
    expect(
      fault(
        value.replace(
          /("values\.yaml":")([^"]+)/,
          (_, head: string, data: string) => head + withoutMac(data),
        ),
      ),
    ).toMatch(/sops-(?:tampered|malformed)/);
  });

  test("values swapped between paths do not open", () => {
    const sealed = seal(
      '{"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "a", "namespace": "org"}, "stringData": {"values.yaml": "a: 1\\n", "other": "b: 2\\n"}}',
      key,
      "yaml",
      ["--encrypted-regex", "^(data|stringData)$"],
    );
    const [one = "", other = ""] = [...sealed.matchAll(/ENC\[.*,type:str\]/g)].map(([text]) => text);
    const swapped = sealed.replace(one, "@").replace(other, one).replace("@", other);
    const entries = ["a", "b"].map((name) => ({ name, key: "values.yaml" }));
    expect(fault([swapped, plainSecret("b", upper, "manifest"), release(entries)].join("---\n"))).toBe(
      "sops-malformed",
    );
  });

  test("a stripped MAC of a manifest is no fault, unless `mac: strict` demands it", () => {
    const stripped = streamOf("manifest").replaceAll(/^ {4}mac: .*\n/gm, "");
    expect(openedValue(foldStream(stripped, sealing, env).stdout)).toEqual(merged);
    const strict = sealing.replace("{seal", "{mac: strict, seal");
    expect(fault(stripped, strict)).toBe("sops-malformed");
    const sound = foldStream(streamOf("manifest"), strict, env);
    expect(openedValue(sound.stdout)).toEqual(merged);
    expect(foldStream(sound.stdout, strict, env).stdout).toBe(sound.stdout);
  });

  test("but one sealed layer alone needs no key, and starts no process", () => {
    const alone = [
      sealedSecret("a", lower, "manifest", key),
      release([{ name: "a", key: "values.yaml" }]),
    ].join("---\n");
    const { status, stdout } = foldStream(alone, sealing, {
      ...env,
      PATH: mkdtempSync(join(tmpdir(), "valuefold-path-")),
    });
    expect([status, stdout]).toEqual([0, alone]);
  });

  test("without `sops` sealed Secrets pass through byte for byte, and nothing folds across them", () => {
    for (const shape of shapes) {
      const stream = streamOf(shape);
      expect(foldText(stream).output).toBe(stream);
    }
  });

  test("a sealed document of 5 MB opens", () => {
    const big = `{"blob": "${"x".repeat(5 * 1024 * 1024)}"}\n`;
    const entries = ["a", "b"].map((name) => ({ name, key: "values.yaml" }));
    const stream = [
      sealedSecret("a", big, "manifest", key),
      sealedSecret("b", '{"blob": "small"}', "manifest", key),
      release(entries),
    ].join("---\n");
    expect(openedValue(foldStream(stream, sealing, env).stdout)).toEqual({ blob: "small" });
  });

  test("a recipient that is none cannot be sealed for", () => {
    expect(fault(streamOf("manifest"), "{seal: {age: [age1nobody]}}")).toBe("seal-failed");
  });

  test("a folder of keys that is not there is told, and the list goes back", () => {
    expect(fault(streamOf("manifest"), `{seal: {age: [${key.recipient}]}, keys: /nonexistent}`)).toBe(
      "sops-failed",
    );
  });

  test("sops that does not end is stopped", async () => {
    const folder = fakeSops("exec sleep 600");
    const sops = sopsWith({ PATH: `${folder}${delimiter}/usr/bin${delimiter}/bin` }, undefined, 300);
    const document = {
      text: Buffer.from("x"),
      input: "yaml",
      output: "json",
      verified: false,
      key: undefined,
    } as const;
    expect(await sops.open([document as unknown as Parameters<typeof sops.open>[0][number]])).toEqual([
      { fault: "timeout" },
    ]);
  });
});

function tampered(base64: string): string {
  return changed(base64, (text) => text.replace(/(password: ENC\[AES256_GCM,data:).{4}/, "$1AAAA"));
}

function withoutMac(base64: string): string {
  return changed(base64, (text) => text.replace(/(mac: ENC\[AES256_GCM,data:).{8}/, "$1AAAAAAAA"));
}

function changed(base64: string, change: (text: string) => string): string {
  const text = Buffer.from(base64, "base64").toString("utf8");
  expect(change(text)).not.toBe(text);
  return Buffer.from(change(text), "utf8").toString("base64");
}

describe("a secret never leaks", () => {
  const canary = "c4n4ryMarker";
  const texts = [
    `password: ${canary}\n`,
    `${canary}: 1\n`,
    `# ${canary}\na: 1\n`,
    `a: [${canary}\n`,
    `- ${canary}\n`,
    `a: "${canary}\n`,
    `${canary}\n`,
    `"${canary}": 1\n"${canary}": 2\n`,
    `a: \${${canary}}\n`,
    `a:\n\t${canary}: 1\n`,
    `${canary}: {<<: ${canary}}\n`,
  ];
  const watched = (folder: string): string => `
log=${folder}/log
{ echo "$0 $@"; tr '\\0' '\\n' < /proc/self/environ; find "\${TMPDIR:-/tmp}" -newer ${folder}/start -type f -user "$(id -u)" -exec cat {} + ; } >> "$log" 2>/dev/null
exec ${tools}sops "$@"`;

  test("not with values, keys, comments, or YAML that is broken once it is open", () => {
    const folder = mkdtempSync(join(tmpdir(), "valuefold-watch-"));
    const temporary = mkdtempSync(join(tmpdir(), "valuefold-tmp-"));
    writeFileSync(join(folder, "start"), "");
    const wrapper = fakeSops(watched(folder));
    const path = `${wrapper}${delimiter}${process.env["PATH"] ?? ""}`;
    let folded = 0;
    for (const [index, text] of texts.entries()) {
      const shape = (["manifest", "manifest with data", "manifest in JSON"] as const)[index % 3] as Shape;
      const other = texts[(index + 1) % texts.length] as string;
      const entries = ["a", "b", "c"].map((name) => ({ name, key: "values.yaml" }));
      const secrets = [text, other, text].map((each, at) =>
        sealedSecret("abc"[at] as string, each, shape, key),
      );
      const list = listOf([...secrets, release(entries)].join("---\n"), sealing);
      const { stdout, stderr, status } = foldList(list, { ...env, PATH: path, TMPDIR: temporary });
      if (status === 0) folded++;
      expect(stdout + stderr).not.toContain(canary);
      expect(stdout + stderr).not.toContain(Buffer.from(canary).toString("base64").slice(2, 12));
    }
    const log = readFileSync(join(folder, "log"), "utf8");
    expect(log.split("\n").filter((line) => line.includes("decrypt")).length).toBeGreaterThan(20);
    expect(log).not.toContain(canary);
    expect(folded).toBeGreaterThan(2);
  });

  test("not when sops itself says it: on stderr, on stdout, as an answer that is none", () => {
    const scripts = [
      `echo ${canary}; echo ${canary} >&2; exit 1`,
      `echo ${canary}; echo ${canary} >&2; exit 128`,
      `echo '{"stringData": "${canary}'`,
      `echo '"${canary}"'`,
      `echo '{"stringData": {"values.yaml": "a: [${canary}"}}'`,
      `cat > /dev/null; kill -9 $$`,
    ];
    for (const script of scripts) {
      const path = `${fakeSops(script)}${delimiter}/usr/bin${delimiter}/bin`;
      const { status, stdout, stderr } = foldStream(streamOf("manifest"), sealing, { ...env, PATH: path });
      expect([script, status, stdout, (stdout + stderr).includes(canary)]).toEqual([script, 1, "", false]);
      expect(stderr).toMatch(/^error\[/);
    }
  });

  test("not in a ConfigMap, whatever a list asks for", () => {
    const sealed = sealedSecret("a", `p: ${canary}\n`, "manifest", key).replace(
      "metadata:",
      "metadata:\n    annotations:\n        valuefold.dev/into: ConfigMap/app",
    );
    const stream = `${sealed}---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: app, namespace: org}\ndata: {values.yaml: "a: 1"}\n`;
    const { status, stdout, stderr } = foldStream(stream, sealing, env);
    expect([status, stdout, /error\[([a-z-]+)\]/.exec(stderr)?.[1]]).toEqual([
      1,
      "",
      "secret-into-configmap",
    ]);
  });
});
