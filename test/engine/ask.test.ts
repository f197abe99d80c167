// Questions to the engine, in its wasm build: what it answers, and what happens to the others where one ends it.
import { expect, test } from "vitest";
import { ask, type EngineAnswer, type EngineCut } from "../../src/engine/index.ts";

const overlay = new Map([
  ["/shop/base/kustomization.yaml", "resources: [a.yaml]\n"],
  ["/shop/base/a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {k: v}\n"],
  ["/shop/prod/kustomization.yaml", "namespace: prod\nresources: [../base]\n"],
]);

function textOf(answer: EngineAnswer | EngineCut, name = ""): string {
  if (answer.cut !== undefined) throw new Error(answer.cut);
  return Buffer.from(answer.files.get(name) ?? []).toString("utf8");
}

test("builds", async () => {
  const answer = await ask({ op: "build", dir: "/shop/prod", restricted: true, files: overlay });
  expect(answer).toMatchObject({
    read: ["/shop/base/a.yaml", "/shop/base/kustomization.yaml", "/shop/prod/kustomization.yaml"],
  });
  expect(textOf(answer)).toBe(
    "apiVersion: v1\ndata:\n  k: v\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: prod\n",
  );
});
