// The values of an explanation as YAML that reads back, with the origin of every line as a comment after it.
import type { ExplainedLayer, ExplainedStack, ExplainedTarget, Explanation } from "../explanation.ts";
import { legible } from "../report/index.ts";
import { linesOf } from "./block.ts";
import { placeText } from "./places.ts";
import { isOfFiles, titleOf } from "./titles.ts";

/** A document per stack. Values of Secrets are `(secret)`. */
export function renderAnnotated({ targets }: Explanation): string {
  return targets.flatMap((target) => target.stacks.map((stack) => documentOf(target, stack))).join("---\n");
}

function documentOf(target: ExplainedTarget, { kind, key, layers, values }: ExplainedStack): string {
  const of = key === undefined ? (kind === undefined ? "values" : `values of ${kind}s`) : key;
  const build = target.build === undefined ? "" : `${target.build}: `;
  const head = `# ${legible(isOfFiles(target) ? titleOf(target) : `${build}${titleOf(target)}: ${of}`)}\n`;
  if (values.length === 0) return `${head}{}\n`;
  const byId = new Map(layers.map((layer) => [layer.id, layer]));
  const lines = linesOf(values).map(({ text, value }) => {
    if (value === undefined) return `${text}\n`;
    const over = value.over.length === 0 ? "" : `, over ${value.over.map(({ by }) => by).join(", ")}`;
    const by = value.rule === undefined ? "" : `, list by ${value.rule}`;
    const only = value.protected === undefined ? "" : `, protected: only ${value.protected}`;
    return `${text} # ${value.by} ${legible(`${placeText(value.at, named(byId.get(value.by)))}${by}${over}${only}`)}\n`;
  });
  return head + lines.join("");
}

function named(layer: ExplainedLayer | undefined): string {
  if (layer?.kind === undefined) return layer?.slot ?? "";
  return `${layer.kind}/${layer.name ?? ""} ${layer.key ?? ""}`.trimEnd();
}
