// What consumers compute from the output is what they compute from the sources.
import { annotatedInto, renderedOf, type Side, sourcesOf } from "./cluster.ts";
import { answersOf, inPlace, same } from "./consumers.ts";
import { inOrder } from "./kpt.ts";
import { idOf, isLayerKind, type KubeObject, localConfig, objectOf, type Repository } from "./repository.ts";
import type { Broken, Round } from "./round.ts";
import type { Json } from "./values.ts";
import { worldOf } from "./world.ts";

const worlds = 3;

export function values({ pipeline, seed, sources, rendered }: Round): Broken | undefined {
  // An overlay's items come in the order in which they were added, files in the order of their paths.
  const files = pipeline === "overlay" ? sources.files : inOrder(sources.files);
  const [before, after] = [files.map(objectOf), rendered.files.map(objectOf)];
  for (let at = 0; at < worlds; at++) {
    const world = worldOf(seed * 31 + at);
    const wanted = sourcesOf(before, world);
    const broken = differing(wanted, renderedOf(after, world, false), sources);
    if (broken === undefined || isHeld(broken, rendered)) continue;
    const isApplied = differing(wanted, renderedOf(after, world, true), sources) === undefined;
    if (!isApplied) return broken;
    // A mark that no record tells of is nobody's to take away; the user is told to.
    const isTold = after.some(
      ({ metadata: { annotations = {} } }) =>
        annotations[localConfig] === "true" &&
        (annotations["valuefold.dev/kept"] === "true" || isIntoPlain(annotations["valuefold.dev/into"])),
    );
    if (!isTold && !isSaid(broken, before, rendered)) return { ...broken, law: "applied" };
  }
  return undefined;
}

/** A hint names the very layer that the consumer misses. */
function isSaid({ detail }: Broken, sources: readonly KubeObject[], { folded }: Round["rendered"]): boolean {
  const [target = ""] = detail.split("\n");
  const { spec } = sources.find((object) => idOf(object) === target) ?? {};
  const isMissed = (name: string): boolean => JSON.stringify(spec ?? {}).includes(`"${name}"`);
  return folded.diagnostics.some(
    ({ item, hint = "" }) => hint.includes("it is `local-config`") && isMissed(item?.name ?? ""),
  );
}

/** Layers of ConfigMap and Secret targets: nothing records who marked them. */
function isIntoPlain(into = ""): boolean {
  return /\b(?:ConfigMap|Secret)\//.test(into);
}

/** A layer that is in a fold already is not applied again, whoever has its name now; the user is told. */
function isHeld({ detail }: Broken, { folded }: Round["rendered"]): boolean {
  const [target = ""] = detail.split("\n");
  return folded.diagnostics.some(({ code, message }) => code === "layer-held" && message.includes(target));
}

function differing(wanted: Side, found: Side, { settings }: Repository): Broken | undefined {
  const got = answersOf(found, settings);
  for (const [id, want] of answersOf(wanted, settings)) {
    if (!same(want, got.get(id))) return differ(id, want, got.get(id));
  }
  for (const object of wanted.objects) {
    const now = found.byId.get(idOf(object));
    if (!isLayerKind(object.kind) || now === undefined || annotatedInto(object, wanted).length === 0)
      continue;
    const [want, is] = [inPlace(object, wanted), inPlace(now, found)];
    if (!same(want, is)) return differ(idOf(object), want, is);
  }
  return undefined;
}

function differ(id: string, want: Json, got: Json): Broken {
  return { law: "values", detail: `${id}\n  want ${JSON.stringify(want)}\n  got  ${JSON.stringify(got)}` };
}
