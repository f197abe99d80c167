// The official JSON Schema Test Suite, all required tests of all drafts. What we answer otherwise stands in
// schema-suite-differences.txt, each with its reason: one that is missing there fails, and so does one too many.
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { compiled, judged, nodeOf } from "../support/judge.ts";

const suite = new URL(".tools/schema-suite.d/", import.meta.url).pathname;

const drafts = {
  draft4: "http://json-schema.org/draft-04/schema#",
  draft6: "http://json-schema.org/draft-06/schema#",
  draft7: "http://json-schema.org/draft-07/schema#",
  "draft2019-09": "https://json-schema.org/draft/2019-09/schema",
  "draft2020-12": "https://json-schema.org/draft/2020-12/schema",
} as const;

interface Group {
  readonly description: string;
  readonly schema: unknown;
  readonly tests: readonly {
    readonly description: string;
    readonly data: unknown;
    readonly valid: boolean;
  }[];
}

function read(path: string): unknown {
  return JSON.parse(readFileSync(path, "utf8"));
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".json"));
}

function isObject(schema: unknown): schema is Record<string, unknown> {
  return typeof schema === "object" && schema !== null && !Array.isArray(schema);
}

/** The suite's files of another server, as documents that are given: each by the address that is asked for. */
function remotesOf(draft: keyof typeof drafts): unknown[] {
  const key = draft === "draft4" ? "id" : "$id";
  return filesBelow(`${suite}remotes`)
    .filter((file) => !file.startsWith("draft") || file.startsWith(`${draft}/`))
    .map((file) => {
      const schema = read(`${suite}remotes/${file}`);
      if (!isObject(schema)) return schema;
      const address = `http://localhost:1234/${file}`;
      const own = schema[key];
      const id = typeof own === "string" && !own.startsWith("#") ? new URL(own, address).href : address;
      return { $schema: drafts[draft], ...schema, [key]: id };
    });
}

interface Difference {
  readonly draft: string;
  readonly file: string;
  readonly group: string;
}

/** Lines `draft, draft: file: group`, below a line with their reason that starts with `#`. */
const differences = readFileSync(new URL("schema-suite-differences.txt", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .flatMap((line): Difference[] => {
    const [, named = "", file = "", group = ""] = /^([^:]+): ([^:]+): (.+)$/.exec(line) ?? [];
    return named.split(", ").map((draft) => ({ draft, file, group }));
  });

/** What is not judged: a schema with it may leave values undecided, and is never wrong. */
const unjudged = /"(?:unevaluated\w+|\$dynamicRef|\$recursiveRef)"/;

const counts: Record<string, { same: number; other: number; left: number }> = {};

test.for(Object.keys(drafts) as (keyof typeof drafts)[])("%s", (draft) => {
  const remotes = remotesOf(draft);
  const named = new Set<string>();
  const count = { same: 0, other: 0, left: 0 };
  for (const file of readdirSync(`${suite}tests/${draft}`).filter((name) => name.endsWith(".json")))
    for (const { description, schema, tests } of read(`${suite}tests/${draft}/${file}`) as Group[]) {
      const { schema: root } = compiled(
        isObject(schema) ? { $schema: drafts[draft], ...schema } : schema,
        remotes,
      );
      const isLeft = file === "dynamicRef.json" || unjudged.test(JSON.stringify(schema));
      const verdicts = tests.map(({ data, valid }) => [
        judged(root, nodeOf(data)),
        valid ? "valid" : "invalid",
      ]);
      const others = verdicts.filter(([own, right]) => own !== right);
      const wrong = others.filter(([own]) => !isLeft || own !== "undecided");
      count.other += wrong.length;
      count.left += others.length - wrong.length;
      count.same += tests.length - others.length;
      if (wrong.length > 0) named.add(`${file}: ${description}`);
    }
  counts[draft] = count;
  const listed = differences.filter((each) => each.draft === draft);
  expect([...named].toSorted()).toEqual(listed.map(({ file, group }) => `${file}: ${group}`).toSorted());
});

test("nearly all of it is the same, and all of it was there", () => {
  console.log(JSON.stringify(counts));
  const all = Object.values(counts);
  expect(all.reduce((sum, { same }) => sum + same, 0)).toBeGreaterThan(4400);
  expect(all.reduce((sum, { other }) => sum + other, 0)).toBeLessThan(40);
});
