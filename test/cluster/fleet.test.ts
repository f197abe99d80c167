// Many objects of one repository: a push folds those that it touches, and Flux applies those that changed.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Entity } from "./api.ts";
import { app, configMap, folded, gitSource, kustomization } from "./objects.ts";
import { seconds, until } from "./processes.ts";
import { applied, push } from "./steps.ts";
import { World } from "./world.ts";

const names = Array.from({ length: 100 }, (_, index) => `app-${index}`);
const longest = 150;

let world: World;

beforeAll(async () => {
  world = await World.start();
});

afterAll(() => world.stop());

/** Waits until the whole list passes. */
function all(object: Entity, passes: (each: Entity) => boolean, what: string): Promise<readonly Entity[]> {
  return until(
    async () => {
      const found = await world.api.list(object);
      await new Promise((resolve) => setTimeout(resolve, 500));
      return found.length >= names.length && found.every(passes) ? found : undefined;
    },
    what,
    longest,
  );
}

async function foldsSoFar(): Promise<number> {
  const text = await (await fetch(world.controller?.metrics ?? "")).text();
  return Number(/^valuefold_step_duration_seconds_count\{step="fold"\} (\d+)/mu.exec(text)?.[1]);
}

const publishes =
  (revision: string) =>
  ({ status }: Entity): boolean =>
    status?.lastPublishedRevision?.includes(revision) === true;

test("100 objects are published and applied", { timeout: 2 * longest * 1000 }, async () => {
  const pushed = world.repository.push(Object.assign({}, ...names.map((name) => app(name, "blue"))));
  await world.api.apply(gitSource(world.repository.url));
  const begun = Date.now();
  for (const name of names) {
    await world.api.apply(folded(name, { build: { path: `./apps/${name}` } }));
    await world.api.apply(kustomization(name));
  }
  await all(folded("x", {}), publishes(pushed), "100 objects are published");
  const published = seconds(begun);
  for (const name of names) await applied(world, name, "color: blue", longest);
  console.log(`100 new objects: published after ${published} s, applied after ${seconds(begun)} s`);
});

test(
  "a push that touches one of 100 folds that one; one Kustomization is applied",
  { timeout: 2 * longest * 1000 },
  async () => {
    const applications = async (): Promise<ReadonlyMap<string, string | undefined>> =>
      new Map(
        (await world.api.list(kustomization("x"))).map(({ metadata, status }) => [
          metadata.name,
          status?.lastAppliedRevision,
        ]),
      );
    await all(
      kustomization("x"),
      ({ status }) => status?.lastAppliedRevision !== undefined,
      "all are applied",
    );
    const [before, configs] = [await applications(), await world.api.list(configMap("x"))];

    const folds = await foldsSoFar();
    const pushed = await push(world, { "apps/app-7/prod.yaml": "color: green\n" });
    const begun = Date.now();
    await all(folded("x", {}), publishes(pushed), "100 objects are folded");
    console.log(`100 objects after one push: ${seconds(begun)} s`);
    await applied(world, "app-7", "color: green");
    expect((await foldsSoFar()) - folds).toBe(1);

    const after = await applications();
    expect(names.filter((name) => after.get(name) !== before.get(name))).toEqual(["app-7"]);
    const versions = new Map(configs.map(({ metadata }) => [metadata.name, metadata.resourceVersion]));
    const written = (await world.api.list(configMap("x"))).filter(
      ({ metadata }) => versions.get(metadata.name) !== metadata.resourceVersion,
    );
    expect(written.map(({ metadata }) => metadata.name)).toEqual(["app-7"]);
  },
);
