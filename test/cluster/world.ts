// A cluster on loopback, as `kubectl apply -f install.yaml` leaves it: real etcd and API server with RBAC, Flux' real
// source-controller and kustomize-controller, a git server, and the controller with the arguments of its Deployment.
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { parseAllDocuments } from "yaml";
import { Api, type Entity } from "./api.ts";
import { Repository } from "./git-server.ts";
import { freePort, Processes, type Running, tools, until } from "./processes.ts";

const root = new URL("../../", import.meta.url).pathname;
const service = (name: string): string => `system:serviceaccount:flux-system:${name}`;
const users = {
  admin: ["admin", "system:masters"],
  "source-controller": [service("source-controller"), ""],
  "kustomize-controller": [service("kustomize-controller"), ""],
  "valuefold-controller": [service("valuefold-controller"), ""],
  // Of a controller that an overlay puts into another namespace.
  "other-controller": ["system:serviceaccount:other:valuefold-controller", ""],
  tenant: ["system:serviceaccount:apps:tenant", ""],
} as const;
type User = keyof typeof users;

export interface Replica extends Running {
  readonly url: string;
  readonly metrics: string;
  readonly storage: string;
  readonly temporary: string;
}

interface Start {
  readonly advertised?: string;
  readonly port?: number;
  readonly user?: User;
  /** A command that starts it. */
  readonly by?: readonly string[];
}

export class World {
  readonly folder: string;
  readonly processes: Processes;
  readonly api: Api;
  readonly repository: Repository;
  /** Process ids of etcd and of the API server. */
  readonly servers: readonly number[];
  private readonly server: string;
  private readonly tokens: ReadonlyMap<User, string>;
  private readonly sourcePort: number;
  source: Running | undefined;
  kustomize: Running | undefined;
  controller: Replica | undefined;

  private constructor(parts: Pick<World, "repository" | "folder" | "processes" | "servers"> & Fixed) {
    this.folder = parts.folder;
    this.processes = parts.processes;
    this.server = parts.server;
    this.servers = parts.servers;
    this.tokens = parts.tokens;
    this.sourcePort = parts.sourcePort;
    this.repository = parts.repository;
    this.api = new Api(parts.server, parts.tokens.get("admin") ?? "", join(parts.folder, "ca.crt"));
  }

  /** @param flux false: neither Flux nor the controller runs */
  static async start({ flux = true }: { readonly flux?: boolean } = {}): Promise<World> {
    const folder = mkdtempSync(join(tmpdir(), "valuefold-cluster-"));
    const processes = new Processes(folder);
    const tokens = new Map(
      (Object.keys(users) as User[]).map((user) => [user, randomBytes(16).toString("hex")]),
    );
    makeCertificates(folder);
    const rows = [...tokens].map(([user, token]) => tokenRow(user, token));
    writeFileSync(join(folder, "tokens.csv"), rows.join(""));
    const { server, servers } = await startApi(processes);
    const repository = await Repository.start(folder);
    const sourcePort = await freePort();
    const world = new World({ folder, processes, repository, server, servers, tokens, sourcePort });
    await until(() => world.api.text("GET", "/readyz"), "the API server is ready", 120);
    await world.install();
    if (!flux) return world;
    await Promise.all([world.startSource(), world.startKustomize(), world.startController()]);
    return world;
  }

  asTenant(): Api {
    return this.api.as(this.tokens.get("tenant") ?? "", join(this.folder, "ca.crt"));
  }

  asController(): Api {
    return this.api.as(this.tokens.get("valuefold-controller") ?? "", join(this.folder, "ca.crt"));
  }

  async startSource(): Promise<Running> {
    const storage = join(this.folder, "source-data");
    mkdirSync(storage, { recursive: true });
    const address = `127.0.0.1:${this.sourcePort}`;
    this.source = this.processes.start(
      "source-controller",
      [
        `${tools}source-controller`,
        `--storage-path=${storage}`,
        `--storage-addr=${address}`,
        `--storage-adv-addr=${address}`,
        `--health-addr=127.0.0.1:${await freePort()}`,
        "--metrics-addr=127.0.0.1:0",
        "--events-addr=",
        "--watch-all-namespaces",
        "--log-encoding=json",
      ],
      this.environmentOf("source-controller"),
    );
    return this.source;
  }

  async startKustomize(): Promise<Running> {
    this.kustomize = this.processes.start(
      "kustomize-controller",
      [
        `${tools}kustomize-controller`,
        `--health-addr=127.0.0.1:${await freePort()}`,
        "--metrics-addr=127.0.0.1:0",
        "--events-addr=",
        "--watch-all-namespaces",
        "--feature-gates=ExternalArtifact=true",
        "--log-encoding=json",
      ],
      this.environmentOf("kustomize-controller"),
    );
    return this.kustomize;
  }

  /** A replica, with the Deployment's arguments; addresses are its own. */
  async startReplica(
    name: string,
    more: readonly string[] = [],
    { advertised, port, user = "valuefold-controller", by = [] }: Start = {},
  ): Promise<Replica> {
    const [storagePort, metricsPort, healthPort] = [
      port ?? (await freePort()),
      await freePort(),
      await freePort(),
    ];
    const storage = join(this.folder, `${name}-data`);
    const temporary = join(this.folder, `${name}-tmp`);
    for (const each of [storage, temporary]) mkdirSync(each, { recursive: true });
    const own = [
      `--storage-path=${storage}`,
      `--storage-addr=127.0.0.1:${storagePort}`,
      `--storage-adv-addr=${advertised ?? `127.0.0.1:${storagePort}`}`,
      `--metrics-addr=127.0.0.1:${metricsPort}`,
      `--health-addr=127.0.0.1:${healthPort}`,
      "--events-addr=",
      `--valuefold=${root}dist/valuefold.cjs`,
      `--path=${join(this.folder, "bin")}:${tools}:${dirname(process.execPath)}:/usr/bin:/bin`,
      "--requeue-dependency=1s",
      ...more,
    ];
    const command = [...by, `${tools}valuefold-controller`, ...deployedArgs(), ...own];
    const running = this.processes.start(name, command, { ...this.environmentOf(user), TMPDIR: temporary });
    const url = `http://127.0.0.1:${storagePort}`;
    return { ...running, url, storage, temporary, metrics: `http://127.0.0.1:${metricsPort}/metrics` };
  }

  async startController(more: readonly string[] = []): Promise<Replica> {
    const port = this.controller === undefined ? undefined : Number(new URL(this.controller.url).port);
    this.controller = await this.startReplica("controller", more, port === undefined ? {} : { port });
    return this.controller;
  }

  async stop(): Promise<void> {
    await this.processes.stopAll();
    this.repository.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private environmentOf(user: User): Record<string, string> {
    const config = {
      apiVersion: "v1",
      kind: "Config",
      "current-context": "c",
      contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
      users: [{ name: "u", user: { token: this.tokens.get(user) } }],
      clusters: [
        { name: "c", cluster: { server: this.server, "certificate-authority": join(this.folder, "ca.crt") } },
      ],
    };
    const file = join(this.folder, `${user}.kubeconfig`);
    writeFileSync(file, JSON.stringify(config));
    const [, , namespace = "flux-system"] = users[user][0].split(":");
    return { KUBECONFIG: file, RUNTIME_NAMESPACE: namespace };
  }

  private async install(): Promise<void> {
    const crds = `${tools}cluster-crds.d`;
    for (const name of ["flux-system", "apps", "other"])
      await this.api.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
    const files = readdirSync(crds).map((name) => readFileSync(join(crds, name), "utf8"));
    const objects = [...files.flatMap(documentsIn), ...installed()];
    for (const object of objects) await this.api.apply(object);
    await this.api.apply(clusterAdmin(["source-controller", "kustomize-controller"]));
    await this.api.apply(editor());
    // Controllers ask for their kinds once, and end where one is not listed yet.
    for (const each of kindsOf(objects))
      await until(() => this.isServed(each), `${each.join("/")} is served`);
  }

  private async isServed([group, version, plural]: CustomKind): Promise<true | undefined> {
    await this.api.text("GET", `/apis/${group}/${version}/${plural}`);
    const { resources } = (await this.api.call("GET", `/apis/${group}/${version}`)) as unknown as Listed;
    return resources.some(({ name }) => name === plural) ? true : undefined;
  }
}

type CustomKind = readonly [group: string, version: string, plural: string];

/** What the API server says of the kinds of a version. */
interface Listed {
  readonly resources: readonly { readonly name: string }[];
}

function kindsOf(objects: readonly Entity[]): readonly CustomKind[] {
  const specs = objects.flatMap(({ kind, spec }) =>
    kind === "CustomResourceDefinition" ? (spec as Definition) : [],
  );
  return specs.flatMap(({ group, versions, names }) =>
    versions.flatMap(({ name, served }): CustomKind[] => (served ? [[group, name, names.plural]] : [])),
  );
}

/** What a CustomResourceDefinition specifies. */
interface Definition {
  readonly group: string;
  readonly names: { readonly plural: string };
  readonly versions: readonly { readonly name: string; readonly served: boolean }[];
}

interface Fixed {
  readonly server: string;
  readonly tokens: ReadonlyMap<User, string>;
  readonly sourcePort: number;
}

function documentsIn(text: string): readonly Entity[] {
  return parseAllDocuments(text)
    .map((each) => each.toJS() as Entity | null)
    .filter((each) => each !== null);
}

/** What a release's install.yaml holds. @param folder of another kustomization */
export function installed(folder = join(root, "controller/config")): readonly Entity[] {
  const { stdout, status, stderr } = spawnSync(`${tools}kustomize`, ["build", folder], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return documentsIn(stdout);
}

/** What an overlay of the base holds. @param parts folders of controller/config: bases, and components */
export function overlaid(world: string, namespace: string, parts: Overlay): readonly Entity[] {
  const folder = mkdtempSync(join(world, "overlay-"));
  const within = (names: readonly string[]): readonly string[] =>
    names.map((name) => relative(realpathSync(folder), realpathSync(join(root, "controller/config", name))));
  const { bases, components } = parts;
  const kustomization = { namespace, resources: within(["", ...bases]), components: within(components) };
  writeFileSync(join(folder, "kustomization.yaml"), JSON.stringify(kustomization));
  return installed(folder);
}

interface Overlay {
  readonly bases: readonly string[];
  readonly components: readonly string[];
}

/** A lease that a killed controller leaves soon: the Deployment's is 35 s, in which Flux asks for an artifact less and less often. */
export const shortLease: readonly string[] = [
  "--leader-election-lease-duration=3s",
  "--leader-election-renew-deadline=2s",
  "--leader-election-retry-period=1s",
];

function deployedArgs(): readonly string[] {
  const deployment = installed().find(({ kind }) => kind === "Deployment") as unknown as {
    spec: { template: { spec: { containers: [{ args: string[] }] } } };
  };
  return deployment.spec.template.spec.containers[0].args;
}

function tokenRow(user: User, token: string): string {
  const [name, group] = users[user];
  const namespace = name.split(":")[2] ?? "";
  const groups = `system:serviceaccounts,system:serviceaccounts:${namespace},system:authenticated`;
  return `${token},${name},${user},"${group === "" ? groups : group}"\n`;
}

function clusterAdmin(names: readonly string[]): Entity {
  return {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRoleBinding",
    metadata: { name: "flux" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
    subjects: names.map((name) => ({ kind: "ServiceAccount", namespace: "flux-system", name })),
  } as Entity;
}

/** A tenant that may do anything in its namespace. */
function editor(): Entity {
  return {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "RoleBinding",
    metadata: { name: "tenant", namespace: "apps" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
    subjects: [{ kind: "ServiceAccount", namespace: "apps", name: "tenant" }],
  } as Entity;
}

function makeCertificates(folder: string): void {
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  writeFileSync(
    join(folder, "names"),
    "subjectAltName=IP:127.0.0.1,IP:10.0.0.1,DNS:kubernetes,DNS:localhost\n",
  );
  for (const args of [
    ["req", "-x509", ...key, "-keyout", "ca.key", "-out", "ca.crt", "-days", "3", "-subj", "/CN=ca"],
    ["req", ...key, "-keyout", "api.key", "-out", "api.csr", "-subj", "/CN=kube-apiserver"],
    "x509 -req -in api.csr -CA ca.crt -CAkey ca.key -CAcreateserial -out api.crt -days 3 -extfile names".split(
      " ",
    ),
    ["genrsa", "-out", "sa.key", "2048"],
  ]) {
    const { status, stderr } = spawnSync("openssl", args, { cwd: folder, encoding: "utf8" });
    if (status !== 0) throw new Error(stderr);
  }
}

async function startApi(processes: Processes): Promise<{ server: string; servers: readonly number[] }> {
  const [client, peer, secure] = [await freePort(), await freePort(), await freePort()];
  const [clientUrl, peerUrl] = [`http://127.0.0.1:${client}`, `http://127.0.0.1:${peer}`];
  const etcd = processes.start("etcd", [
    `${tools}etcd`,
    "--data-dir=etcd",
    "--log-level=warn",
    "--unsafe-no-fsync",
    `--listen-client-urls=${clientUrl}`,
    `--advertise-client-urls=${clientUrl}`,
    `--listen-peer-urls=${peerUrl}`,
    `--initial-advertise-peer-urls=${peerUrl}`,
    `--initial-cluster=default=${peerUrl}`,
  ]);
  const api = processes.start("kube-apiserver", [
    `${tools}kube-apiserver`,
    `--etcd-servers=${clientUrl}`,
    `--secure-port=${secure}`,
    "--bind-address=127.0.0.1",
    "--advertise-address=127.0.0.1",
    "--tls-cert-file=api.crt",
    "--tls-private-key-file=api.key",
    "--token-auth-file=tokens.csv",
    "--authorization-mode=RBAC",
    "--service-cluster-ip-range=10.0.0.0/24",
    "--service-account-issuer=https://kubernetes",
    "--service-account-key-file=sa.key",
    "--service-account-signing-key-file=sa.key",
    "--disable-admission-plugins=ServiceAccount",
  ]);
  return { server: `https://127.0.0.1:${secure}`, servers: [etcd.pid, api.pid] };
}
