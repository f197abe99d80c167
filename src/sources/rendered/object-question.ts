// A question about an object that is no target here: the charts of all targets are asked which of them makes it.
import { badPath, type Explained } from "../../explain/index.ts";
import { targetKinds, usualKind } from "../../kinds.ts";
import { parsePath } from "../../merge/index.ts";
import { type Diagnostic, meantOr, nearest } from "../../diagnostic.ts";
import { Exit } from "../../report/index.ts";
import type { Input } from "../entry.ts";
import { unbuiltIn } from "../left-out.ts";
import { namesTargets } from "../read-kinds.ts";
import { listed, passedOver } from "../not-built.ts";
import { withBareTargets } from "./bare-targets.ts";
import { objectsMade, type WantedObject } from "./made-objects.ts";
import { Releases } from "./releases.ts";
import { objectId, parseObject } from "../../object-id.ts";

/** Which values are asked for. */
export interface Question {
  readonly target?: string;
  readonly path?: string;
}

/** True where the word can only mean such an object. */
export function isOfMade({ target = "" }: Question): boolean {
  const { kind } = parseObject(target);
  return kind !== undefined && !namesTargets(kind);
}

/** Undefined where the word can be no such object, or the path cannot be read. */
export function wantedObject({ target = "", path }: Question): WantedObject | undefined {
  const { kind: word = "", ...named } = parseObject(target);
  const steps = path === undefined ? [] : parsePath(path);
  const kind = usualKind(word) ?? (namesTargets(word) ? undefined : word);
  if (!kind || named.name === "" || "wrongAt" in steps) return undefined;
  return { ...objectId({ kind, ...named }), steps };
}

/** What the charts of an input make of an object. @param explain explains all of an input */
export async function objectIn(
  input: Input,
  wanted: WantedObject,
  explain: (input: Input) => Promise<Explained>,
): Promise<Explained> {
  const releases = new Releases();
  const list = releases.in(input);
  const { explanation, outcome } = await withBareTargets(await explain(list), list);
  const { targets = [] } = explanation ?? {};
  const { faults, ...found } = await objectsMade(explanation, releases, wanted);
  const absent = targets.filter((each) => releases.of(each).length === 0);
  const names = absent.map(({ name }) => name);
  const note =
    names.length === 0
      ? []
      : [passedOver(`the charts of ${listed(names, "target")} are not here`, "name them: --chart DIR")];
  // What is wrong with other values is not asked for.
  const diagnostics = [...unbuiltIn(outcome.diagnostics), ...faults, ...note];
  return { ...found, outcome: { exitCode: Exit.ok, output: [], diagnostics } };
}

/** The fault where no chart makes the object, where it has no such field, or where the path cannot be read. */
export function noObject({ target = "", path }: Question): Diagnostic {
  const steps = path === undefined ? [] : parsePath(path);
  if (path !== undefined && "wrongAt" in steps) return badPath(path, steps.wrongAt);
  const field = path === undefined ? "" : ` with a field at \`${path}\``;
  return {
    code: "no-target",
    severity: "error",
    message: `no target and no chart here makes \`${target}\`${field}`,
    hint: meantOr(
      nearTarget(target),
      "its chart must be in the checkout, or be named by `--chart`, and render",
    ),
  };
}

/** `Aplication/shop`: a kind of target with one slip. */
function nearTarget(target: string): string | undefined {
  const [kind = "", ...rest] = target.split("/");
  const near = nearest(kind, [...targetKinds.map((each) => each.kind), "Application"], 1);
  return near === undefined || near === kind ? undefined : [near, ...rest].join("/");
}
