// What the cluster has and the repository does not: objects of late-bound references, what the platform
// binds unseen, Flux' variables. Drawn from a seed, so that both sides meet the same.
import { Random } from "../support/nasty-yaml.ts";
import { valuesText } from "./values.ts";

export interface World {
  /** Text of an object's data key, whatever the key; undefined where the cluster has none. */
  late(id: string, optional: boolean): string | undefined;
  unseen(target: string, kind: string, priority: number): string;
  fill(text: string): string;
}

const variableValues = ["5", "{x: 1}", "null", "text", "{}", "{a: {b: 2}}"];

export function worldOf(seed: number): World {
  const draw = (about: string): Random => new Random(hash(`${seed} ${about}`));
  const textAbout = (about: string): string => valuesText(draw(about), { secret: false, variables: false });
  const variables = new Map(["v1", "v2"].map((name) => [name, draw(name).pick(variableValues)]));
  return {
    late: (id, optional) => (optional && draw(`absent ${id}`).once(3) ? undefined : textAbout(id)),
    unseen: (target, kind, priority) => textAbout(`unseen ${target} ${kind} ${priority}`),
    fill: (text) => text.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => variables.get(name) ?? ""),
  };
}

function hash(text: string): number {
  let sum = 2_166_136_261;
  for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 16_777_619);
  return sum >>> 0;
}
