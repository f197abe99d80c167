// The pod of examples/flux-controller, as podman runs it: images are stand-ins, and everything else is said by the
// patched Deployment, bounds as tight as a cluster may set them.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";

const images: Readonly<Record<string, string>> = {
  valuefold: process.env["VALUEFOLD_IMAGE"] ?? "localhost/valuefold:test",
  manager: "localhost/valuefold-controller:test",
};

interface Container {
  readonly name: string;
  readonly args: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value?: string }[];
  readonly volumeMounts: readonly {
    readonly name: string;
    readonly mountPath: string;
    readonly readOnly?: boolean;
  }[];
}

export interface Pod {
  readonly initContainers: readonly [Container];
  readonly containers: readonly [Container];
}

interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** In a folder that may be littered: podman leaves a file where a container exceeds its memory. */
export function run(command: string, args: readonly string[]): Ran {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: "utf8", cwd: tmpdir() });
  if (error !== undefined) throw error;
  return { status, stdout, stderr };
}

/** What every container of the pod is held to. */
const bounds = [
  "--rm",
  "--read-only",
  "--read-only-tmpfs=false",
  "--network=none",
  "--user=65534:65534",
  "--cap-drop=all",
  "--security-opt=no-new-privileges",
  "--memory=256m",
  "--memory-swap=256m",
];

/** Runs a container of the pod; `folders` are its volumes, by name, and further ones by path. */
export function start(
  { name, env = [], volumeMounts }: Container,
  folders: Readonly<Record<string, string>>,
  command: readonly string[],
): Ran {
  const mounts = volumeMounts
    .filter((each) => folders[each.name] !== undefined)
    .map((each) => `${folders[each.name]}:${each.mountPath}${each.readOnly === true ? ":ro" : ""}`);
  const sources = Object.entries(folders)
    .filter(([path]) => path.startsWith("/"))
    .map(([path, folder]) => `${folder}:${path}:ro`);
  return run("docker", [
    "run",
    ...bounds,
    ...[...mounts, ...sources].map((mount) => `--volume=${mount}`),
    ...env.flatMap(({ name: variable, value }) =>
      value === undefined ? [] : [`--env=${variable}=${value}`],
    ),
    images[name] ?? name,
    ...command,
  ]);
}

/** A volume that any user may write to, as an emptyDir is. */
export function emptyDir(): string {
  const folder = mkdtempSync(join(tmpdir(), "valuefold-volume-"));
  chmodSync(folder, 0o777);
  return folder;
}

/** The pod of the Deployment that kustomize builds. */
export function podOf(deployment: string): Pod {
  return (parse(deployment) as { spec: { template: { spec: Pod } } }).spec.template.spec;
}
