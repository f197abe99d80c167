// What Flux makes of the artifact of examples/flux-oci: its own build and substitution, run without a cluster;
// its CRDs' schemas; and what Helm makes of the same values.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { example, makeRepository, temporary } from "./flux-world.ts";
import { succeed, tools } from "./sops-world.ts";

const cluster = readFileSync(join(example, "cluster/prod.yaml"), "utf8");

function read(file: string): string {
  return readFileSync(join(example, file), "utf8");
}

/** The example with another text in some files. */
function changed(files: Readonly<Record<string, string>>): string {
  const repository = makeRepository();
  for (const [file, text] of Object.entries(files)) writeFileSync(join(repository, file), text);
  return repository;
}

function render(repository: string): string {
  succeed("./render.sh", ["overlays/prod", "rendered.yaml"], { cwd: repository });
  return readFileSync(join(repository, "rendered.yaml"), "utf8");
}

/** kustomize-controller's build of an artifact, with its substitution, without a cluster. */
function fluxBuild(rendered: string, kustomization = cluster): string {
  const folder = temporary();
  mkdirSync(join(folder, "artifact"));
  writeFileSync(join(folder, "artifact/rendered.yaml"), rendered);
  writeFileSync(join(folder, "kustomization.yaml"), kustomization);
  const flags = ["--kustomization-file", "kustomization.yaml", "--dry-run", "--strict-substitute"];
  return succeed("flux", ["build", "kustomization", "shop-prod", "--path", "artifact", ...flags], {
    cwd: folder,
  });
}

function values(stream: string): string {
  return succeed("valuefold", ["values", "HelmRelease/shop", "-"], { input: stream });
}

function faults(manifests: string): string {
  const folder = join(tools, "flux-crds.d");
  return succeed(
    "flux-crds",
    readdirSync(folder).map((file) => join(folder, file)),
    { input: manifests },
  );
}

describe("variables of Flux", () => {
  test("are filled in after the fold", () => {
    expect(values(fluxBuild(read("expected/prod.yaml")))).toContain("host: shop.east.prod.example #");
  });

  test("make of folded layers what they make of the layers as kustomize built them", () => {
    const repository = changed({
      "overlays/prod/stage.yaml": 'replicas: ${replicas}\nimage:\n  tag: "${tag}"\n  pull: ${pull:=Always}\n',
      "overlays/prod/region.yaml": 'ingress:\n  host: ${cluster_domain}\n  paths: ["/${tag}"]\n',
    });
    const kustomization = cluster.replace(/( +)cluster_domain:.*/, '$&\n$1replicas: "5"\n$1tag: "1.20"');
    const unfolded = succeed("kustomize", ["build", "overlays/prod"], { cwd: repository });
    const folded = values(fluxBuild(render(repository), kustomization));
    expect(folded).toBe(values(fluxBuild(unfolded, kustomization)));
    expect(folded).toMatch(/^replicas: 5\n(.*\n)*.*tag: "1\.20"\n(.*\n)*.*pull: Always\n/m);
  });
});

test("a value that changes changes the name of the folded item, and the release's reference to it", () => {
  const names = (rendered: string): string[] => rendered.match(/(?<=name: )shop-folded-\w{10}$/gm) ?? [];
  const [name, reference, ...more] = names(read("expected/prod.yaml"));
  expect([reference, more]).toEqual([name, []]);
  const [other, otherReference] = names(render(changed({ "overlays/prod/stage.yaml": "replicas: 4\n" })));
  expect([otherReference, other === name]).toEqual([other, false]);
});

test("a sealed Secret is in the artifact as it was sealed, and its key opens it", () => {
  const [secret = ""] = read("expected/prod.yaml").split("\n---\n");
  const sealed = /values\.yaml: (ENC\[.*\])/;
  expect(sealed.exec(secret)?.[1]).toBe(sealed.exec(read("base/credentials.yaml"))?.[1]);
  const file = join(temporary(), "secret.yaml");
  writeFileSync(file, secret);
  // Flux does not check the MAC either: kustomize has written a namespace.
  const opened = succeed("sops", ["decrypt", "--ignore-mac", file], {
    env: { SOPS_AGE_KEY_FILE: join(example, "../sops/throw-away.agekey") },
  });
  expect(opened).toMatch(/^kind: Secret\n/m);
  expect(opened).not.toContain("ENC[");
});

describe("the CRDs of this Flux", () => {
  test("take cluster/prod.yaml and the release", () => {
    expect([faults(cluster), faults(read("base/release.yaml"))]).toEqual(["", ""]);
  });

  test("would refuse a field that they do not know, and a value that they do not allow", () => {
    const broken = cluster
      .replace("wait: true", "wait: true\n  waits: true")
      .replace("url: oci:", "url: https:");
    expect(faults(broken)).toMatch(/spec\.url in body should match(.*\n)*.*unknown field spec\.waits\n$/);
  });
});

describe("Helm", () => {
  const template = (...files: readonly string[]): string =>
    succeed("helm", ["template", "shop", "chart", ...files.flatMap((file) => ["-f", file])], {
      cwd: example,
    });

  test("renders the chart from `valuefold values` as it does from the layers' files", () => {
    const rendered = succeed("helm", ["template", "shop", "chart", "-f", "-"], {
      cwd: example,
      input: values(read("expected/prod.yaml")),
    });
    expect(rendered).toBe(
      template("base/values.yaml", "overlays/prod/stage.yaml", "overlays/prod/region.yaml"),
    );
    expect(rendered).toContain('image: "east.registry.example/shop:1.10"');
  });
});
