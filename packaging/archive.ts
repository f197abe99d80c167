// A folder → one archive; files → their checksums. Times, owners and order are fixed: equal content is equal bytes.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";

/** `parent/name` → `parent/name.tar.gz` beside it, or where `file` says. */
export async function archive(parent: string, name: string, file: string): Promise<void> {
  const fixed = ["--sort=name", "--mtime=@0", "--owner=0", "--group=0", "--numeric-owner", "--format=ustar"];
  const tar = spawn("tar", [...fixed, "--mode=u+rwX,go+rX,go-w", "-C", parent, "-c", name], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<number | null>((resolve) => {
    tar.on("close", resolve);
  });
  await pipeline(tar.stdout, createGzip({ level: 6 }), createWriteStream(file));
  const status = await ended;
  if (status !== 0) throw new Error(`tar ended with ${status}`);
}

export async function sha256(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}

/** As `sha256sum --check` reads it. */
export async function checksums(folder: string, names: readonly string[]): Promise<string> {
  const lines = await Promise.all(
    names.map(async (name) => `${await sha256(join(folder, name))}  ${name}\n`),
  );
  return lines.join("");
}
