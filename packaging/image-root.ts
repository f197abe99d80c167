// The files of the container image: the bare form where it lives, a name for its user, and a folder that it may write
// to. `Dockerfile` only copies them, so an image for another processor needs no emulation.
import { chmodSync, cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bareHome, type Target } from "./targets.ts";

/** As the image format calls processors. */
const machines = { x64: "amd64", arm64: "arm64" } as const;

/** Writes `images/amd64` or `images/arm64`. */
export function writeImageRoot(target: Target, folder: string, images: string): void {
  const image = join(images, machines[target.arch]);
  rmSync(image, { recursive: true, force: true });
  cpSync(folder, join(image, bareHome), { recursive: true });
  mkdirSync(join(image, "usr/local/bin"), { recursive: true });
  symlinkSync(`${bareHome}/valuefold`, join(image, "usr/local/bin/valuefold"));
  // kustomize and kpt run functions as `nobody`, by name.
  mkdirSync(join(image, "etc"));
  writeFileSync(join(image, "etc/passwd"), "nobody:x:65534:65534:nobody:/:/sbin/nologin\n");
  writeFileSync(join(image, "etc/group"), "nogroup:x:65534:\n");
  mkdirSync(join(image, "tmp"));
  chmodSync(join(image, "tmp"), 0o1777);
}
