// Resource lists as large as a cluster's.

const head = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n";
const lines = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => line(at)).join("");

function app(index: number): string {
  const layer = (name: string): string =>
    `- apiVersion: v1\n  data:\n    values: |\n${lines(30, (at) => `      ${name}${at}:\n        value: some text ${index}\n`)}  kind: ConfigMap\n  metadata:\n    name: ${name}-${index}\n    namespace: org\n`;
  const slot = (slotName: string, name: string): string =>
    `    ${slotName}:\n      configMap:\n        name: ${name}-${index}\n        namespace: org\n`;
  return `${layer("base")}${layer("user")}- apiVersion: application.giantswarm.io/v1alpha1\n  kind: App\n  metadata:\n    name: app${index}\n    namespace: org\n  spec:\n    catalog: x\n${slot("config", "base")}    kubeConfig:\n      inCluster: true\n${slot("userConfig", "user")}`;
}

function stranger(index: number): string {
  return `- apiVersion: apps/v1\n  kind: Deployment\n  metadata:\n    name: web${index}\n    namespace: org\n  spec:\n${lines(25, (at) => `    field${at}: some text of no interest ${index}\n`)}`;
}

function listOf(bytes: number, item: (index: number) => string, few: string): string {
  return head + lines(Math.floor(bytes / item(10_000).length), item) + few;
}

/** A list of nothing but Apps and their layers, of about so many bytes. */
export function appList(bytes: number): string {
  return listOf(bytes, app, "");
}

/** A list of which little is folded, of about so many bytes. */
export function fewAppsAmongStrangers(bytes: number): string {
  return listOf(bytes, stranger, lines(7, app));
}
