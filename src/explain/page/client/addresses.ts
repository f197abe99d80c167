// What comes after `#`: every target, value and layer has an address, and no name can pretend to be another's.
// Parts are encoded, so what joins them is never in them.

interface Addressed {
  readonly build?: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly key?: string;
}

/** Half of a pair of code units cannot be encoded. */
export function encoded(part: string): string {
  return encodeURIComponent(part.replaceAll(/\p{Surrogate}/gu, "\ufffd"));
}

/** `App/org/shop`; `App/org/shop@eu-1` where there are several builds, so that no build has the address of another. */
export function targetAddress({ build, ...named }: Addressed): string {
  return nameAddress(named) + (build === undefined ? "" : `@${encoded(build)}`);
}

function nameAddress({ kind = "", namespace = "", name = "" }: Addressed): string {
  return [kind, namespace, name].map(encoded).join("/");
}

/** `App/org/shop/ConfigMap`; a stack that goes into a data key names it, too. */
export function stackAddress(target: string, { kind = "values", key }: Addressed): string {
  return `${target}/${encoded(kind)}${key === undefined ? "" : `:${encoded(key)}`}`;
}

/** `App/org/shop/ConfigMap/controller.replicas`; a stack's own address for the value at its top. */
export function valueAddress(stack: string, path: readonly string[]): string {
  if (path.length === 0) return stack;
  return `${stack}/${path.map((key) => encoded(key).replaceAll(".", "%2E")).join(".")}`;
}

/** `layer:ConfigMap/org/base/values.yaml`; a layer without a name has that of its target, with why it is there. */
export function layerAddress({ key = "", ...named }: Addressed): string {
  return `layer:${targetAddress(named)}/${encoded(key)}`;
}

/** The address, or one like it that is not taken; it is taken then. */
export function claim(address: string, taken: Set<string>): string {
  let free = address;
  for (let count = 2; taken.has(free); count++) free = `${address}~${count}`;
  taken.add(free);
  return free;
}
