// What the action asks over HTTP, on this machine: a folder of releases, and the comments of pull requests.
import { existsSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

interface Comment {
  readonly id: number;
  readonly body: string;
  readonly user: { readonly login: string; readonly id: number; readonly type: "Bot" | "User" };
}

interface Request {
  readonly method: string;
  readonly url: string;
  readonly authorization: string | undefined;
  readonly body: string;
}

export interface GitHub {
  readonly url: string;
  readonly comments: Comment[];
  readonly requests: Request[];
  /** What writes is answered with, if not as asked. */
  refusal: number | undefined;
  close(): void;
}

export const bot = { login: "github-actions[bot]", id: 41_898_282, type: "Bot" } as const;

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function bodyIn(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { body: string }).body;
  } catch {
    return undefined;
  }
}

/** @param folder what lies under /releases/ */
export async function startGitHub(folder: string): Promise<GitHub> {
  const comments: Comment[] = [];
  const requests: Request[] = [];
  const answer = ({ method, url, body }: Request): [number, unknown] => {
    const at = new URL(url, "http://x");
    if (method === "GET") {
      const [size, page] = ["per_page", "page"].map((name) => Number(at.searchParams.get(name)));
      const from = ((page ?? 1) - 1) * (size ?? 30);
      return [200, comments.slice(from, from + (size ?? 30))];
    }
    if (github.refusal !== undefined) return [github.refusal, { message: "Resource not accessible" }];
    const text = bodyIn(body);
    if (text === undefined) return [400, { message: "Problems parsing JSON" }];
    const id = method === "PATCH" ? Number(url.split("/").at(-1)) : 3_000_000_000 + comments.length;
    const written: Comment = { id, body: text, user: bot };
    const index = comments.findIndex((comment) => comment.id === id);
    if (method === "PATCH" && index < 0) return [404, { message: "Not Found" }];
    comments.splice(index < 0 ? comments.length : index, index < 0 ? 0 : 1, written);
    return [method === "PATCH" ? 200 : 201, written];
  };
  const server = createServer((request, response) => {
    void (async () => {
      const { method = "", url = "", headers } = request;
      const asked = { method, url, authorization: headers.authorization, body: await textOf(request) };
      requests.push(asked);
      const file = join(folder, decodeURIComponent(url));
      if (!url.startsWith("/api/")) {
        response.statusCode = existsSync(file) ? 200 : 404;
        response.end(existsSync(file) ? readFileSync(file) : "");
        return;
      }
      const [status, body] = answer(asked);
      response.statusCode = status;
      response.end(JSON.stringify(body, undefined, 2));
    })();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const github: GitHub = {
    url: `http://127.0.0.1:${port}`,
    comments,
    requests,
    refusal: undefined,
    close: () => server.close(),
  };
  return github;
}
