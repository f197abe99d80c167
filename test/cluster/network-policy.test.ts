// Whom the NetworkPolicy of install.yaml lets the controller talk to, by the rules of the API. No kubelet runs here, so
// what a cluster makes of it is not tested.
import { expect, test } from "vitest";
import { installed } from "./world.ts";

type Labels = Readonly<Record<string, string>>;
interface Selector {
  readonly matchLabels?: Labels;
}
interface Rule {
  readonly from?: readonly { readonly podSelector: Selector }[];
  readonly to?: readonly { readonly podSelector: Selector }[];
  readonly ports?: readonly { readonly port: number | string; readonly protocol?: string }[];
}
interface Policy {
  readonly podSelector: Selector;
  readonly policyTypes: readonly string[];
  readonly ingress: readonly Rule[];
  readonly egress: readonly Rule[];
}
interface Pods {
  readonly metadata: { readonly labels: Labels };
  readonly spec: {
    readonly containers: readonly {
      readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
    }[];
  };
}
/** The other end: outside of the cluster without a namespace, and its labels do not matter then. */
interface Peer {
  readonly namespace?: string;
  readonly labels?: Labels;
}

const home = "flux-system";
const policy = specOf("NetworkPolicy") as Policy;
const { template } = specOf("Deployment") as { readonly template: Pods };
const source: Peer = { namespace: home, labels: { app: "source-controller" } };
const kustomize: Peer = { namespace: home, labels: { app: "kustomize-controller" } };
const tenant: Peer = { namespace: "apps", labels: { app: "valuefold-controller" } };
const outside: Peer = {};

function specOf(kind: string): unknown {
  const found = installed().filter((each) => each.kind === kind);
  expect([kind, found.map(({ metadata }) => metadata.namespace)]).toEqual([kind, [home]]);
  return found[0]?.spec;
}

function selects({ matchLabels = {} }: Selector, labels: Labels = {}): boolean {
  return Object.entries(matchLabels).every(([name, value]) => labels[name] === value);
}

function portOf(port: number | string): number | undefined {
  if (typeof port === "number") return port;
  return template.spec.containers.flatMap(({ ports }) => ports).find(({ name }) => name === port)
    ?.containerPort;
}

function allows(rules: readonly Rule[], peer: Peer, port: number, protocol = "TCP"): boolean {
  return rules.some(({ from, to, ports }) => {
    const peers = from ?? to;
    // A selector of pods without one of namespaces is for the policy's own.
    const isPeer =
      peers === undefined ||
      peers.some((each) => peer.namespace === home && selects(each.podSelector, peer.labels));
    const isPort =
      ports === undefined ||
      ports.some((each) => portOf(each.port) === port && (each.protocol ?? "TCP") === protocol);
    return isPeer && isPort;
  });
}

test("it is for the pods of the Deployment alone, in both directions", () => {
  expect(selects(policy.podSelector, template.metadata.labels)).toBe(true);
  for (const { labels } of [source, kustomize]) expect(selects(policy.podSelector, labels)).toBe(false);
  expect(policy.policyTypes.toSorted()).toEqual(["Egress", "Ingress"]);
});

test.for<[peer: string, Peer, port: number, protocol: string, allowed: boolean]>([
  ["source-controller", source, 9090, "TCP", true],
  ["DNS", outside, 53, "UDP", true],
  ["DNS", outside, 53, "TCP", true],
  ["the API server", outside, 443, "TCP", true],
  ["the API server of kubeadm", outside, 6443, "TCP", true],
  ["a web server", outside, 80, "TCP", false],
  ["a git server", outside, 22, "TCP", false],
  ["anything by UDP", outside, 443, "UDP", false],
  ["a pod of a tenant", tenant, 8080, "TCP", false],
])("out to %s at %s %s %s: %s", ([, peer, port, protocol, allowed]) => {
  expect(allows(policy.egress, peer, port, protocol)).toBe(allowed);
});

test.for<[peer: string, Peer, port: number, allowed: boolean]>([
  ["kustomize-controller", kustomize, 9090, true],
  ["a tenant, to artifacts", tenant, 9090, false],
  ["the outside, to artifacts", outside, 9090, false],
  ["a tenant, to metrics", tenant, 8080, true],
  ["a tenant, to the probes", tenant, 9440, false],
])("in from %s at %s %s: %s", ([, peer, port, allowed]) => {
  expect(allows(policy.ingress, peer, port)).toBe(allowed);
});
