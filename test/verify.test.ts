// `valuefold verify`, on streams as a pipeline renders them.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { verify } from "../src/verify.ts";

function check(text: string, strict = false): { exitCode: number; codes: string[] } {
  const { exitCode, diagnostics, output } = verify({ input: Buffer.from(text), strict });
  expect(output).toEqual([]);
  return { exitCode, codes: diagnostics.map(({ code }) => code) };
}

const folded = readFileSync(
  new URL("../examples/quickstart/expected/prod-east.yaml", import.meta.url),
  "utf8",
);

test("what was folded whole passes", () => {
  expect(check(folded, true)).toEqual({ exitCode: 0, codes: [] });
});

test("a layer that was left annotated fails, unless it is local-config or kept", () => {
  const layer = readFileSync(new URL("../examples/quickstart/regions/east.yaml", import.meta.url), "utf8");
  expect(check(`${folded}---\n${layer}`)).toEqual({ exitCode: 1, codes: ["layer-left"] });
  const annotated = (annotation: string): string =>
    layer.replace("  annotations:\n", `  annotations:\n    ${annotation}\n`);
  expect(check(`${folded}---\n${annotated('config.kubernetes.io/local-config: "true"')}`).exitCode).toBe(0);
  expect(check(`${folded}---\n${annotated('valuefold.dev/keep: "true"')}`).exitCode).toBe(0);
});

test("a folded name that dangles fails, and so does a folded item that nobody references", () => {
  const [configMap = "", ...rest] = folded.split("---\n");
  expect(check(rest.join("---\n"))).toEqual({ exitCode: 1, codes: ["folded-dangling"] });
  expect(
    check(`${folded}---\n${configMap.replace("name: ingress-nginx-folded", "name: other-folded")}`),
  ).toEqual({ exitCode: 1, codes: ["folded-unreferenced"] });
});

test("any other reference that is not there warns, with the nearest name; --strict fails", () => {
  const dangling = folded.replace(
    "      name: ingress-nginx-folded\n      namespace: org-demo\n    secret",
    "      name: ingress-nginx-bases\n      namespace: org-demo\n    secret",
  );
  const rest = dangling.split("---\n").slice(1).join("---\n");
  expect(check(rest)).toEqual({ exitCode: 0, codes: ["unresolved-reference"] });
  expect(check(rest, true)).toEqual({ exitCode: 1, codes: ["unresolved-reference"] });
  expect(verify({ input: Buffer.from(rest), strict: false }).messages).toContain(
    "did you mean `ingress-nginx-base`?",
  );
});

test("a resource list can be verified, and what is no YAML is an error", () => {
  const list = readFileSync(
    new URL("cases/config-and-user-config-in-a-resource-list/output.yaml", import.meta.url),
    "utf8",
  );
  expect(check(list)).toEqual({ exitCode: 0, codes: [] });
  expect(check("a: [b\n")).toEqual({ exitCode: 1, codes: ["input-unreadable"] });
  expect(check("")).toEqual({ exitCode: 1, codes: ["not-a-resource-list"] });
});
