// The plugin of examples/argo-cd under Argo CD's own code: its cmp-server runs plugin.yaml, and is asked as the
// repo-server asks it. The image runs it as the Deployment says, too.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";

const root = new URL("../../", import.meta.url).pathname;
const example = join(root, "examples/argo-cd");
const argoCmp = join(root, "test/real/.tools/argo-cmp");

interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(
  command: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Ran {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
    ...options,
  });
  if (error !== undefined) throw error;
  return { status, stdout, stderr };
}

/** What a sidecar's pod has, with this program as Argo CD's. */
function makePod(): { readonly varFiles: string; readonly plugins: string; readonly tmp: string } {
  const pod = mkdtempSync(join(tmpdir(), "valuefold-argo-cd-"));
  chmodSync(pod, 0o755);
  const [varFiles = "", plugins = "", tmp = ""] = ["var-files", "plugins", "tmp"].map((name) => {
    mkdirSync(join(pod, name));
    chmodSync(join(pod, name), 0o777);
    return join(pod, name);
  });
  copyFileSync(argoCmp, join(varFiles, "argocd-cmp-server"));
  chmodSync(join(varFiles, "argocd-cmp-server"), 0o755);
  return { varFiles, plugins, tmp };
}

async function untilThere(socket: string): Promise<void> {
  for (let tries = 0; tries < 300 && !existsSync(socket); tries++) await setTimeout(100);
  expect([socket, existsSync(socket)]).toEqual([socket, true]);
}

/** As the repo-server asks, on a repository that nothing else uses. */
function ask(plugins: string, repository: string, ...args: readonly string[]): Ran {
  const env = { ...process.env, ARGOCD_PLUGINSOCKFILEPATH: plugins };
  return run(argoCmp, [...args, repository], { env });
}

function expected(): unknown[] {
  return parseAllDocuments(readFileSync(join(example, "expected.yaml"), "utf8")).map(
    (one) => one.toJS() as unknown,
  );
}

function write(folder: string, files: { readonly [name: string]: string }): string {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

function repositoryOf(files: { readonly [name: string]: string }): string {
  return write(mkdtempSync(join(tmpdir(), "valuefold-repository-")), files);
}

const kustomization = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n";

test("the example's expected file is what the commands make of it", async () => {
  const folder = join(example, "shop/overlays/prod");
  const { stdout } = run("sh", ["-c", "kustomize build . | valuefold fold"], { cwd: folder });
  await expect(stdout).toMatchFileSnapshot(join(example, "expected.yaml"));
});

describe("the cmp-server", () => {
  const pod = makePod();
  let server: ChildProcess;

  beforeAll(async () => {
    server = spawn(join(pod.varFiles, "argocd-cmp-server"), ["--config-dir-path", example], {
      env: {
        ...process.env,
        ARGOCD_PLUGINSOCKFILEPATH: pod.plugins,
        ARGOCD_CMP_WORKDIR: pod.tmp,
        SOPS_AGE_KEY_FILE: join(root, "examples/sops/throw-away.agekey"),
      },
      stdio: "ignore",
    });
    await untilThere(join(pod.plugins, "valuefold.sock"));
  });

  afterAll(() => server.kill());

  test.for([[["--plugin", "valuefold"]], [[]]])("folds the example, asked for by %o", ([how = []]) => {
    const { status, stdout, stderr } = ask(pod.plugins, example, ...how, "--path", "shop/overlays/prod");
    expect([status, stderr, JSON.parse(stdout)]).toEqual([0, "", expected()]);
    expect(readdirSync(join(pod.tmp, "_cmp_server"))).toEqual([]);
  });

  test("a folder without layers is not its own, named or not", () => {
    const { status, stdout, stderr } = ask(pod.plugins, example, "--path", "shop/base");
    expect([status, stdout, stderr]).toEqual([
      1,
      "",
      "could not find plugin supporting the given repository\n",
    ]);
    const named = ask(pod.plugins, example, "--path", "shop/base", "--plugin", "valuefold");
    expect([named.status, named.stdout]).toEqual([1, ""]);
    expect(named.stderr).toContain('could not find cmp-server plugin with name "valuefold"');
  });

  test("a folder with settings is its own, and is folded by them", () => {
    const files = {
      "kustomization.yaml": `${kustomization}resources: [../prod]\n`,
      "valuefold.yaml": "apiVersion: valuefold.dev/v1alpha1\nkind: ValueFold\nspec: {layers: keep}\n",
    };
    const folder = mkdtempSync(join(tmpdir(), "valuefold-repository-"));
    cpSync(join(example, "shop"), folder, { recursive: true });
    write(join(folder, "overlays/kept"), files);
    const { status, stdout } = ask(pod.plugins, folder, "--path", "overlays/kept");
    const names = (JSON.parse(stdout) as { metadata: { name: string } }[]).map((item) => item.metadata.name);
    expect([status, names.toSorted()]).toEqual([
      0,
      ["shop", "shop-config", "shop-config-east", "shop-config-prod"],
    ]);
  });

  test("a build that fails shows why, and gives no manifests", () => {
    const folder = repositoryOf({
      "kustomization.yaml": `${kustomization}resources: [layer.yaml, gone.yaml]\n`,
      "layer.yaml":
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, annotations: {valuefold.dev/into: App/a}}\n",
    });
    const { status, stdout, stderr } = ask(pod.plugins, folder);
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/failed exit status 1: Error: accumulating resources: .*gone\.yaml/);
    expect(stderr).not.toContain("error[");
  });

  test("a fold that fails shows the fault, its place and its cure, and gives no manifests", () => {
    const folder = mkdtempSync(join(tmpdir(), "valuefold-repository-"));
    cpSync(join(example, "shop"), folder, { recursive: true });
    writeFileSync(join(folder, "overlays/prod/east.yaml"), "datasource: [\n");
    const { status, stdout, stderr } = ask(pod.plugins, folder, "--path", "overlays/prod");
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(
      /failed exit status 1: error\[layer-unreadable\]: [^]*at +ConfigMap\/shop\/shop-config-east application\.yaml:1:13 /,
    );
    expect(stderr).toMatch(/\n +hint /);
  });

  test("programs that a repository names as functions are not run", () => {
    const folder = repositoryOf({
      "kustomization.yaml": `${kustomization}resources: [layer.yaml]\ntransformers: [function.yaml]\n`,
      "layer.yaml":
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, annotations: {valuefold.dev/into: App/a}}\n",
      "function.yaml":
        'apiVersion: x/v1\nkind: X\nmetadata: {name: x, annotations: {config.kubernetes.io/function: "exec: {path: touch}"}}\n',
    });
    const { status, stderr } = ask(pod.plugins, folder);
    expect([status, stderr.includes("external plugins disabled")]).toEqual([1, true]);
  });

  test("sealed layers are opened with the sidecar's key, and nothing sealed is left, if the settings say so", () => {
    const folder = mkdtempSync(join(tmpdir(), "valuefold-repository-"));
    cpSync(join(root, "examples/sops"), folder, { recursive: true });
    const settings =
      "apiVersion: valuefold.dev/v1alpha1\nkind: ValueFold\nspec: {layers: prune, sops: {allowPlaintext: true}}\n";
    const overlay = join(folder, "overlays/prod");
    const own = readFileSync(join(overlay, "kustomization.yaml"), "utf8");
    write(overlay, {
      "kustomization.yaml": own.replace(/^transformers:\n- fold\.yaml\n/m, ""),
      "valuefold.yaml": settings,
    });
    const { status, stdout, stderr } = ask(pod.plugins, folder, "--path", "overlays/prod");
    expect([status, stderr]).toEqual([0, ""]);
    const items = JSON.parse(stdout) as { kind: string; data?: { [key: string]: string } }[];
    expect(items.map(({ kind }) => kind)).toEqual(["Secret", "HelmRelease"]);
    expect(Buffer.from(items[0]?.data?.["values.yaml"] ?? "", "base64").toString("utf8")).toBe(
      readFileSync(join(root, "examples/sops/expected/values.yaml"), "utf8"),
    );
  });

  describe("with 1,000 Apps of three layers", () => {
    const one = (index: number): string => {
      const layer = (name: string, annotations: string, text: string): string =>
        `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  namespace: org\n${annotations}data:\n  values: |\n    ${text}\n---\n`;
      const into = (priority: number): string =>
        `  annotations: {valuefold.dev/into: App/app-${index}, valuefold.dev/priority: "${priority}"}\n`;
      return (
        layer(`app-${index}`, "", `replicas: 1\n    image: {tag: "1.${index}"}`) +
        layer(`app-${index}-prod`, into(60), "replicas: 3") +
        layer(`app-${index}-east`, into(70), "region: east") +
        `apiVersion: application.giantswarm.io/v1alpha1\nkind: App\nmetadata: {name: app-${index}, namespace: org}\n` +
        `spec: {catalog: giantswarm, config: {configMap: {name: app-${index}, namespace: org}}}\n---\n`
      );
    };
    const folder = repositoryOf({
      "kustomization.yaml": `${kustomization}resources: [apps.yaml]\n`,
      "apps.yaml": Array.from({ length: 1000 }, (_, index) => one(index)).join(""),
    });

    test("the answer is whole, and how long it takes is told", () => {
      const start = performance.now();
      const { status, stdout, stderr } = ask(pod.plugins, folder, "--timeout", "10m");
      console.info(`1,000 Apps: ${((performance.now() - start) / 1000).toFixed(1)} s`);
      expect([status, stderr]).toEqual([0, ""]);
      expect((JSON.parse(stdout) as unknown[]).length).toBe(3000);
    });

    test("the time is the one of the request, and what runs then is ended and removed", async () => {
      const { status, stdout, stderr } = ask(pod.plugins, folder, "--timeout", "1500ms");
      expect([status, stdout]).toEqual([1, ""]);
      expect(stderr).toMatch(/failed signal: (?:killed|terminated)|DeadlineExceeded/);
      const work = join(pod.tmp, "_cmp_server");
      for (let tries = 0; tries < 100 && readdirSync(work).length > 0; tries++) await setTimeout(100);
      expect(readdirSync(work)).toEqual([]);
    });
  });
});

interface Container {
  readonly name: string;
  readonly command: readonly string[];
  readonly securityContext: { readonly [name: string]: unknown };
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
}

interface PodSpec {
  readonly containers: readonly Container[];
  readonly volumes: readonly { readonly name: string }[];
}

function podOf(text: string): PodSpec {
  const documents = parseAllDocuments(text).map(
    (one) => one.toJS() as { spec: { template: { spec: PodSpec } } },
  );
  return (documents[0] as { spec: { template: { spec: PodSpec } } }).spec.template.spec;
}

function install(name: string): string {
  return readFileSync(join(example, "install", name), "utf8");
}

describe("the sidecar", () => {
  const ours = podOf(install("repo-server.yaml"));

  test("goes into Argo CD's own Deployment, and finds its volumes there", () => {
    const { stdout: module } = run("go", ["mod", "download", "-json", "github.com/argoproj/argo-cd/v3"], {
      cwd: join(root, "test/real/argo-cmp"),
    });
    const { Dir } = JSON.parse(module) as { Dir: string };
    const folder = mkdtempSync(join(tmpdir(), "valuefold-install-"));
    cpSync(join(example, "install"), folder, { recursive: true });
    copyFileSync(
      join(Dir, "manifests/base/repo-server/argocd-repo-server-deployment.yaml"),
      join(folder, "argo-cd.yaml"),
    );
    chmodSync(join(folder, "argo-cd.yaml"), 0o644);
    const { status, stdout, stderr } = run("kustomize", ["build", folder]);
    expect([status, stderr]).toEqual([0, ""]);
    const { containers, volumes } = podOf(stdout);
    expect(containers.map(({ name }) => name)).toEqual(["valuefold", "argocd-repo-server"]);
    expect(containers[0]).toEqual(ours.containers[0]);
    const there = volumes.map(({ name }) => name);
    expect(ours.containers[0]?.volumeMounts.filter(({ name }) => !there.includes(name))).toEqual([]);
    rmSync(folder, { recursive: true });
  });

  test("is the same by the Helm chart", () => {
    const { repoServer } = parse(install("helm-values.yaml")) as {
      repoServer: { extraContainers: unknown; volumes: unknown };
    };
    expect([repoServer.extraContainers, repoServer.volumes]).toEqual([ours.containers, ours.volumes]);
  });

  test("folds the example in its image, as the Deployment runs it", async () => {
    const pod = makePod();
    const [{ command, securityContext, volumeMounts }] = ours.containers as [Container];
    expect(securityContext).toEqual({
      runAsNonRoot: true,
      runAsUser: 999,
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ["ALL"] },
      seccompProfile: { type: "RuntimeDefault" },
    });
    const folders: { readonly [name: string]: string } = {
      "var-files": pod.varFiles,
      plugins: pod.plugins,
      "valuefold-tmp": pod.tmp,
    };
    const mounts = volumeMounts.map(({ name, mountPath }) => `--volume=${folders[name] ?? ""}:${mountPath}`);
    const security = ["--user=999", "--read-only", "--read-only-tmpfs=false", "--cap-drop=ALL"];
    const started = run("docker", [
      "run",
      "--detach",
      "--network=none",
      "--security-opt=no-new-privileges",
      ...security,
      ...mounts,
      "localhost/valuefold-argo-cd:test",
      ...command,
    ]);
    expect([started.status, started.stderr]).toEqual([0, ""]);
    const id = started.stdout.trim();
    try {
      await untilThere(join(pod.plugins, "valuefold.sock"));
      const { status, stdout, stderr } = ask(pod.plugins, example, "--path", "shop/overlays/prod");
      expect([status, stderr, JSON.parse(stdout || "null")]).toEqual([0, "", expected()]);
      expect(ask(pod.plugins, example, "--path", "shop/base").status).toBe(1);
    } finally {
      run("docker", ["rm", "--force", "--time=1", id]);
    }
  });
});
