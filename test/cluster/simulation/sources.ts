// Sources without source-controller and git: GitRepository objects whose archives come from a server of ours, so that only
// the controller is measured.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { dirname, join } from "node:path";
import type { Entity } from "../api.ts";
import { app, gitSource } from "../objects.ts";
import type { World } from "../world.ts";

export class Sources {
  private readonly world: World;
  private readonly server: Server;
  private readonly url: string;
  private readonly archives: Map<string, Buffer>;

  private constructor(world: World, archives: Map<string, Buffer>, server: Server) {
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    this.world = world;
    this.server = server;
    this.url = `http://127.0.0.1:${address.port}`;
    this.archives = archives;
  }

  static async start(world: World): Promise<Sources> {
    const archives = new Map<string, Buffer>();
    const server = createServer(({ url = "" }, response) => {
      const archive = archives.get(url.slice(1));
      response.statusCode = archive === undefined ? 404 : 200;
      response.end(archive);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return new Sources(world, archives, server);
  }

  /** A new revision of a source: the apps that it holds, all of one color but some. */
  async push(
    name: string,
    apps: readonly string[],
    revision: string,
    color = revision,
    others: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    await this.serve(
      name,
      Object.assign({}, ...apps.map((each) => app(each, others[each] ?? color))),
      revision,
    );
  }

  /** A new revision of a source, of these files. */
  async serve(name: string, files: Readonly<Record<string, string>>, revision: string): Promise<void> {
    const source: Entity = gitSource("http://git.shop.example", "1h", name);
    await this.world.api.apply(source);
    const archive = pack(this.world.folder, files);
    for (const old of this.archives.keys()) if (old.startsWith(`${name}-`)) this.archives.delete(old);
    const path = `${name}-${revision}.tar.gz`;
    this.archives.set(path, archive);
    const artifact = {
      path,
      url: `${this.url}/${path}`,
      revision: `main@sha1:${revision}`,
      digest: `sha256:${createHash("sha256").update(archive).digest("hex")}`,
      size: archive.length,
      lastUpdateTime: new Date().toISOString(),
    };
    await this.world.api.patch(source, { status: { artifact } }, "/status");
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

/** A folder of files, as source-controller stores it. */
export function pack(parent: string, files: Readonly<Record<string, string>>): Buffer {
  const folder = mkdtempSync(join(parent, "pack-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const packed = spawnSync("tar", ["-czf", `${folder}.tar.gz`, "."], { cwd: folder, encoding: "utf8" });
  if (packed.status !== 0) throw new Error(packed.stderr);
  const archive = readFileSync(`${folder}.tar.gz`);
  rmSync(folder, { recursive: true });
  rmSync(`${folder}.tar.gz`);
  return archive;
}
