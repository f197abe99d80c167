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
  const named = all.filter((each) => isNamedAs(each, text));
  // One without a namespace has no longer name.
  const whole = named.filter((each) => objectText(each) === text);
  const meant = whole.length > 0 ? whole : named;
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
      hint: oneOf(meant),
    };
  if (one !== undefined)
    return {
      ...about,
      message: `\`${text}\` is not folded`,
      hint: "remove its annotation `valuefold.dev/fold`, or let the setting `targets` select it",
    };
  return { ...about, message: `no target named \`${text}\` in the list`, hint: nearby(text, all) };
}

function oneOf(meant: readonly Target[]): string {
  const names = [...new Set(meant.map((each) => `\`${objectText(each)}\``))];
  const [, second] = names;
  if (second === undefined) return "it is one object, written several times: leave the others out";
  return `name one of them: ${names.slice(0, 10).join(", ")}${names.length > 10 ? ", …" : ""}`;
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
