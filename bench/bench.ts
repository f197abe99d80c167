// The bench: the built program against a copy loop in the same runtime, whole processes, in turn.
// Prints ratios of medians from one run: absolute times of shared machines say little. `--quick` for CI.
import { spawnSync } from "node:child_process";
import { performance } from "node:perf_hooks";

const program = "dist/valuefold.cjs";
const quick = process.argv.includes("--quick");
const rounds = quick ? 3 : 11;

/** Reads all of stdin and writes it back: what any function must do at the least. */
const copyLoop =
  "const fs=require('fs');const b=fs.readFileSync(0);for(let n=0;n<b.length;)n+=fs.writeSync(1,b,n)";

const { NODE_EXTRA_CA_CERTS: _, ...environment } = process.env;

function timed(args: readonly string[], input: Buffer): { ms: number; output: Buffer } {
  const started = performance.now();
  const { stdout, status, stderr } = spawnSync(process.execPath, args, {
    input,
    env: environment,
    maxBuffer: 1 << 30,
  });
  if (status !== 0) throw new Error(`exit ${status}: ${stderr.toString("utf8").slice(0, 500)}`);
  return { ms: performance.now() - started, output: stdout };
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}

function values(index: number, layer: number): string {
  const lines = Array.from(
    { length: 12 },
    (_line, at) =>
      `      key${at}:\n        enabled: true\n        value${layer}: "${index}-${at}"\n        list: [1, 2, 3]\n`,
  );
  return `    app:\n${lines.join("")}    replicas: ${layer}\n`;
}

function configMap(name: string, text: string): string {
  return `- apiVersion: v1\n  data:\n    values: |\n${text.replaceAll(/^/gm, "  ").replaceAll(/^ +$/gm, "")}  kind: ConfigMap\n  metadata:\n    name: ${name}\n    namespace: org\n`;
}

function app(index: number): string {
  const slot = (name: string, layer: number): string =>
    `    ${name}:\n      configMap:\n        name: app${index}-${layer}\n        namespace: org\n`;
  const extra = `    extraConfigs:\n    - kind: configMap\n      name: app${index}-2\n      namespace: org\n      priority: 75\n`;
  return `- apiVersion: application.giantswarm.io/v1alpha1\n  kind: App\n  metadata:\n    name: app${index}\n    namespace: org\n  spec:\n    catalog: x\n${slot("config", 1)}${extra}    kubeConfig:\n      inCluster: true\n${slot("userConfig", 3)}`;
}

function stranger(index: number): string {
  const lines = Array.from(
    { length: 25 },
    (_line, at) => `      field${at}: some text of no interest ${index}\n`,
  );
  return `- apiVersion: apps/v1\n  kind: Deployment\n  metadata:\n    name: web${index}\n    namespace: org\n  spec:\n    template:\n${lines.join("")}`;
}

function listOf(items: readonly string[]): Buffer {
  return Buffer.from(`apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n${items.join("")}`);
}

function apps(count: number): string[] {
  return Array.from(
    { length: count },
    (_item, index) =>
      [1, 2, 3].map((layer) => configMap(`app${index}-${layer}`, values(index, layer))).join("") + app(index),
  );
}

const cases = {
  "1 App, 3 layers": listOf(apps(1)),
  "1,000 Apps, 3 layers each": listOf(apps(1000)),
  "10,000 items, 20 of them layers": listOf([
    ...Array.from({ length: 9973 }, (_item, index) => stranger(index)),
    ...apps(7).map((text) => text),
  ]),
};

const rows = Object.entries(cases).map(([name, input]) => {
  const own: number[] = [];
  const copy: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const [a, b] = [timed([program], input).ms, timed(["-e", copyLoop], input).ms];
    if (round > 0) own.push(a);
    if (round > 0) copy.push(b);
  }
  const folded = timed([program], input).output.toString("latin1").split("folded-from").length - 1;
  if (folded === 0) throw new Error(`${name}: nothing folded`);
  return {
    name,
    megabytes: (input.length / 1e6).toFixed(2),
    valuefoldMs: median(own).toFixed(0),
    copyMs: median(copy).toFixed(0),
    ratio: (median(own) / median(copy)).toFixed(2),
    folded,
  };
});

console.table(rows);
console.log(`${rows.length} passed, 0 failed`);
