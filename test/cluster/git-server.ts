// A repository, and git's own smart HTTP server for it on loopback.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { dirname, join } from "node:path";

export class Repository {
  readonly url: string;
  readonly folder: string;
  private readonly server: Server;

  private constructor(folder: string, url: string, server: Server) {
    this.folder = folder;
    this.url = url;
    this.server = server;
  }

  /** An empty repository `fleet`. */
  static async start(parent: string): Promise<Repository> {
    const bare = join(parent, "git/fleet.git");
    const folder = join(parent, "work");
    git(parent, "init", "-q", "--bare", "-b", "main", bare);
    git(parent, "clone", "-q", bare, folder);
    const server = createServer((request, response) => serve(join(parent, "git"), request, response));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    return new Repository(folder, `http://127.0.0.1:${address.port}/fleet.git`, server);
  }

  write(files: Readonly<Record<string, string>>): void {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.folder, name)), { recursive: true });
      writeFileSync(join(this.folder, name), text);
    }
  }

  /** Commits files and pushes them. */
  push(files: Readonly<Record<string, string>> = {}): string {
    this.write(files);
    git(this.folder, "add", "-A");
    git(this.folder, "commit", "-q", "--allow-empty", "-m", "A change");
    git(this.folder, "push", "-q", "origin", "main");
    return git(this.folder, "rev-parse", "HEAD");
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

function git(cwd: string, ...args: readonly string[]): string {
  const author = ["-c", "user.name=Test", "-c", "user.email=test@shop.example"];
  const { status, stdout, stderr } = spawnSync("git", [...author, ...args], { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
  return stdout.trim();
}

function serve(root: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url ?? "/", "http://git");
  const backend = spawn("git", ["http-backend"], {
    env: {
      PATH: "/usr/bin:/bin",
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: "1",
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method ?? "GET",
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
      GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
    },
  });
  request.pipe(backend.stdin);
  backend.stdin.on("error", () => undefined);
  const parts: Buffer[] = [];
  backend.stdout.on("data", (part: Buffer) => parts.push(part));
  backend.stdout.on("end", () => {
    const all = Buffer.concat(parts);
    const end = all.indexOf("\r\n\r\n");
    for (const line of all.subarray(0, end).toString().split("\r\n")) {
      const [name = "", value = ""] = line.split(": ");
      if (name === "Status") response.statusCode = Number(value.slice(0, 3));
      else response.setHeader(name, value);
    }
    response.end(all.subarray(end + 4));
  });
}
