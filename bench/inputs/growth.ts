// Inputs on which a careless program needs the square of the time. Each grows in one respect only; sizes are
// such that a program whose time grows with its input needs 100 to 300 ms of CPU for four times the size.
import {
  annotated,
  annotatedStack,
  dataKeys,
  inPlace,
  json,
  kyma,
  lateBound,
  lines,
  namesakes,
  repeated,
  stack,
  longName,
  spaces,
  wildcard,
  wildcards,
} from "./shapes.ts";
import { listOf, times } from "./items.ts";
import { apps, listRules, schemaOfValues } from "./workloads.ts";

export interface Growth {
  readonly name: string;
  /** The smallest of three sizes: then twice, then four times as much. */
  readonly size: number;
  readonly make: (size: number) => string;
  /** The input is a plain stream and this the command; else a ResourceList and the function. */
  readonly command?: "fold" | "verify";
  /** What else is done with the output: folding it again, or `verify`. */
  readonly after?: readonly ("fold" | "verify")[];
}

export const growth: readonly Growth[] = [
  { name: "late-bound references, verify", size: 800, make: lateBound, command: "verify" },
  { name: "one name in many namespaces", size: 800, make: (n) => namesakes(n), after: ["fold", "verify"] },
  {
    name: "one name in many namespaces, prune",
    size: 800,
    make: (n) => namesakes(n, "layers: prune\n"),
    after: ["verify"],
  },
  { name: "many Apps with annotated layers, prune", size: 800, make: annotated, after: ["fold"] },
  {
    name: "a script with tabs",
    size: 6000,
    make: (n) =>
      stack([`script: |\n${lines(n, (at) => `  if true; then\n  \techo\t${at}\n`)}`, "replicas: 3\n"]),
  },
  {
    name: "a stack of layers with keys of their own",
    size: 2500,
    make: (n) => stack(times(n, (at) => `key${at}: ${at}\n`)),
    after: ["fold", "verify"],
  },
  { name: "annotated layers of one App", size: 2500, make: annotatedStack, after: ["fold", "verify"] },
  { name: "data keys of one ConfigMap", size: 2000, make: dataKeys, after: ["fold", "verify"] },
  { name: "Kyma overrides", size: 800, make: kyma, after: ["verify"] },
  { name: "JSON in one line", size: 12_000, make: (n) => stack([json(n, 1), json(n, 2)]) },
  {
    name: "duplicate keys",
    size: 5000,
    make: (n) => stack([lines(2 * n, (at) => `key${at % n}: ${at}\n`), "replicas: 3\n"]),
  },
  { name: "layers by wildcard, 100 in each namespace", size: 15, make: wildcards, after: ["fold", "verify"] },
  {
    name: "one mapping of many keys, twice",
    size: 12_500,
    make: (n) => stack([lines(n, (at) => `key${at}: 1\n`), lines(n, (at) => `key${at}: 2\n`)]),
    after: ["fold"],
  },
  {
    name: "layers of a growing document",
    size: 50,
    make: (n) =>
      stack([
        lines(60 * n, (at) => `part${at}:\n  name: some text of no interest ${at}\n  list: [1, 2]\n`),
        ...times(n, (at) => `part${at}:\n  name: ${at}\n`),
      ]),
  },
  { name: "ConfigMap targets", size: 2500, make: inPlace, after: ["fold", "verify"] },
  {
    name: "line breaks in a value",
    size: 50_000,
    make: (n) =>
      stack([`text: "a${"\\n".repeat(n)}"\nrest: |\n  a\n${"\n".repeat(n)}  b\n`, "replicas: 3\n"]),
  },
  { name: "layers by wildcard into 20 Apps", size: 250, make: wildcard, after: ["fold", "verify"] },
  { name: "Apps with list rules", size: 150, make: (n) => listOf(apps(n), listRules), after: ["fold"] },
  { name: "Apps with a schema", size: 150, make: (n) => listOf(apps(n), schemaOfValues) },
  { name: "instances of a Repeat, 5 resources each", size: 150, make: repeated, after: ["fold"] },
  { name: "spaces after a value, kpt", size: 100_000, make: spaces },
  { name: "a long name, verify", size: 25_000, make: longName, command: "verify" },
];
