// Sources that are not git: an OCI registry and a bucket, of a server as small as source-controller lets it be.
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Entity } from "./api.ts";
import { app, folded, kustomization } from "./objects.ts";
import { pack } from "./simulation/sources.ts";
import { applied, ready } from "./steps.ts";
import { World } from "./world.ts";

interface Answer {
  readonly type: string;
  readonly body: Buffer;
}

let world: World;
let server: Server;
let address = "";
const answers = new Map<string, Answer>();

beforeAll(async () => {
  world = await World.start();
  server = createServer(({ url = "" }, response) => {
    const { pathname, searchParams } = new URL(url, "http://store");
    const answer = answers.get(searchParams.has("list-type") ? `${pathname}?list` : pathname);
    response.statusCode = answer === undefined ? 404 : 200;
    if (answer === undefined) return void response.end();
    const digest = digestOf(answer.body);
    response.setHeader("content-type", answer.type);
    response.setHeader("content-length", answer.body.length);
    response.setHeader("docker-content-digest", digest);
    response.setHeader("etag", `"${digest.slice(-32)}"`);
    response.setHeader("last-modified", new Date(0).toUTCString());
    response.end(answer.body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const bound = server.address();
  if (bound === null || typeof bound === "string") throw new Error("no port");
  address = `127.0.0.1:${bound.port}`;
});

afterAll(async () => {
  server.close();
  await world.stop();
});

function digestOf(body: Buffer): string {
  return `sha256:${createHash("sha256").update(body).digest("hex")}`;
}

function serve(path: string, body: Buffer | string, type = "application/octet-stream"): Buffer {
  const bytes = Buffer.from(body);
  answers.set(path, { type, body: bytes });
  return bytes;
}

/** An artifact as `flux push artifact` makes it. */
function pushImage(files: Readonly<Record<string, string>>, revision: string): void {
  const part = (mediaType: string, content: Buffer | string): object => {
    const blob = Buffer.from(content);
    serve(`/v2/fleet/blobs/${digestOf(blob)}`, blob);
    return { mediaType, size: blob.length, digest: digestOf(blob) };
  };
  const manifest = {
    schemaVersion: 2,
    mediaType: "application/vnd.oci.image.manifest.v1+json",
    config: part("application/vnd.cncf.flux.config.v1+json", "{}"),
    layers: [part("application/vnd.cncf.flux.content.v1.tar+gzip", pack(world.folder, files))],
    annotations: { "org.opencontainers.image.revision": revision },
  };
  serve("/v2/", "{}");
  const text = serve("/v2/fleet/manifests/latest", JSON.stringify(manifest), manifest.mediaType);
  serve(`/v2/fleet/manifests/${digestOf(text)}`, text, manifest.mediaType);
}

function fillBucket(files: Readonly<Record<string, string>>): void {
  const contents = Object.entries(files).map(([key, text]) => {
    const body = serve(`/fleet/${key}`, text);
    return `<Contents><Key>${key}</Key><ETag>"${digestOf(body).slice(-32)}"</ETag><Size>${body.length}</Size></Contents>`;
  });
  serve("/fleet/", "");
  const list = `<ListBucketResult><Name>fleet</Name><IsTruncated>false</IsTruncated>${contents.join("")}</ListBucketResult>`;
  serve("/fleet/?list", list, "application/xml");
}

function sourceOf(kind: string, spec: object): Entity {
  const metadata = { name: "fleet", namespace: "flux-system" };
  return {
    apiVersion: "source.toolkit.fluxcd.io/v1",
    kind,
    metadata,
    spec: { interval: "1s", insecure: true, ...spec },
  };
}

async function apply(kind: string, name: string, spec: object): Promise<Entity> {
  const object = folded(name, {
    sourceRef: { kind, name: "fleet", namespace: "flux-system" },
    build: { path: `./apps/${name}` },
  });
  for (const each of [sourceOf(kind, spec), object, kustomization(name)]) await world.api.apply(each);
  return object;
}

test("an OCIRepository: what is pushed is applied, and its commit is named", async () => {
  pushImage(app("image", "blue"), "main@sha1:0001");
  const object = await apply("OCIRepository", "image", {
    url: `oci://${address}/fleet`,
    ref: { tag: "latest" },
  });
  await applied(world, "image", "color: blue");
  const { status } = await ready(world, object);
  expect(status?.lastPublishedRevision).toMatch(/^latest@sha256:/u);
  expect(status?.artifact?.originRevision).toBe("main@sha1:0001");
  pushImage(app("image", "green"), "main@sha1:0002");
  await applied(world, "image", "color: green");
});

test("a Bucket: what is put into it is applied", async () => {
  fillBucket(app("bucket", "blue"));
  const object = await apply("Bucket", "bucket", {
    provider: "generic",
    bucketName: "fleet",
    endpoint: address,
    region: "here",
  });
  await applied(world, "bucket", "color: blue");
  expect((await ready(world, object)).status?.lastPublishedRevision).toMatch(/^sha256:/u);
  fillBucket(app("bucket", "green"));
  await applied(world, "bucket", "color: green");
});
