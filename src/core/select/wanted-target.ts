// A target by the text that the user typed, with the nearest names if no target matches.
import { type Diagnostic, nearest } from "../../diagnostic.ts";
import { isNamedAs, objectText, withKind } from "../../object-id.ts";
import type { Target } from "../../layers/index.ts";
import { placeOf } from "../../krm/index.ts";
import type { TargetSelection } from "./targets.ts";

/** @param text `Kind/name`, `Kind/namespace/name`, or a name */
export function wantedTarget(
  text: string,
  { targets, leftAlone }: { readonly targets: readonly Target[] } & Pick<TargetSelection, "leftAlone">,
): Target | Diagnostic {
  const all: Target[] = [...targets, ...leftAlone];
  const meant = all.filter((each) => isNamedAs(each, text));
  const [target, second] = meant;
  return target !== undefined && second === undefined && targets.includes(target)
    ? target
    : noTarget(text, meant, all);
}

function noTarget(text: string, meant: readonly Target[], all: readonly Target[]): Diagnostic {
  const about = { code: "no-target", severity: "error", at: { text } } as const;
  const [one, second] = meant;
  if (second !== undefined)
    return {
      ...about,
      message: `${meant.length} targets are named \`${text}\``,
      also: meant.map(placeOf),
      hint: "name its namespace: `Kind/namespace/name`",
    };
  if (one !== undefined)
    return {
      ...about,
      message: `\`${text}\` is not folded`,
      hint: "remove its annotation `valuefold.dev/fold`, or let the setting `targets` select it",
    };
  return { ...about, message: `no target named \`${text}\` in the list`, hint: nearby(text, all) };
}

function nearby(text: string, all: readonly Target[]): string {
  const near = nearest(
    withKind(text, all),
    all.flatMap((each) => [objectText(each), `${each.kind}/${each.name}`, each.name]),
  );
  const known = all.slice(0, 10).map((each) => `\`${objectText(each)}\``);
  if (near !== undefined) return `did you mean \`${near}\`?`;
  return known.length === 0
    ? "nothing here receives values"
    : `the list has ${known.join(", ")}${all.length > known.length ? ", …" : ""}`;
}
