// What the user wrote is still there.
import type { Pipeline } from "./choices.ts";
import { same } from "./consumers.ts";
import { idOf, isFolded, isLayerKind, type KubeObject, objectOf, type Repository } from "./repository.ts";
import type { Broken, Round } from "./round.ts";
import { bystanders } from "./texts.ts";

/** What the user wrote and no fold has to change is there, byte for byte; what a fold changes is there. */
export function lost({ pipeline, before, rendered }: Round): Broken | undefined {
  const after = new Map(rendered.files.map((file) => [idOf(objectOf(file)), file]));
  for (const file of before.files) {
    const object = objectOf(file);
    const now = after.get(idOf(object));
    if (now === undefined) {
      if (isGoing(object, pipeline, before.settings)) continue;
      return { law: "lost", detail: `${idOf(object)} is gone` };
    }
    const wanted =
      pipeline === "overlay" || !bystanders.includes(file.text) ? undefined : file.text.trimEnd();
    if (wanted !== undefined && now.text.trimEnd() !== wanted)
      return { law: "lost", detail: `${idOf(object)} was changed` };
    const changed = fieldChanged(object, objectOf(now));
    if (changed !== undefined) return { law: "lost", detail: `${idOf(object)}: ${changed}` };
  }
  return undefined;
}

/** Layers that a plain stream prunes, and what an earlier fold wrote. */
function isGoing(
  { kind, metadata: { annotations = {} } }: KubeObject,
  pipeline: Pipeline,
  { layers }: Repository["settings"],
): boolean {
  if (layers === "prune" && isLayerKind(kind)) return true;
  const isAnnotated =
    annotations["valuefold.dev/into"] !== undefined ||
    annotations["config.kubernetes.io/local-config"] === "true";
  return annotations["valuefold.dev/folded-from"] !== undefined || (pipeline === "plain" && isAnnotated);
}

const ours = new Set([
  "valuefold.dev/folded-keys",
  "valuefold.dev/folded-references",
  "valuefold.dev/folded-from",
  "valuefold.dev/kept",
  "config.kubernetes.io/local-config",
]);

/** A field that no fold has to touch, and that differs. */
function fieldChanged(before: KubeObject, after: KubeObject): string | undefined {
  if (isFolded(before)) return undefined;
  const notes = ({ metadata }: KubeObject): object =>
    Object.fromEntries(
      Object.entries(metadata.annotations ?? {}).filter(
        ([key]) =>
          !ours.has(key) && !key.includes("config.kubernetes.io/") && !key.includes("config.k8s.io/"),
      ),
    );
  if (!same(notes(before), notes(after))) return "annotations";
  const { extraConfigs: _a, valuesFrom: _b, config: _c, userConfig: _d, ...spec } = before.spec ?? {};
  const { extraConfigs: _e, valuesFrom: _f, config: _g, userConfig: _h, ...specNow } = after.spec ?? {};
  if (!same(spec, specNow)) return "spec";
  const isSame = same([before.data, before.stringData], [after.data, after.stringData]);
  return isSame || isTarget(before) ? undefined : "data";
}

/** What layers are folded into in place. */
function isTarget({ kind, metadata }: KubeObject): boolean {
  return isLayerKind(kind) && metadata.name.startsWith("config");
}
