// Paths that only some layers may set (setting `protect`): which other layers of a stack set them. Looks at every
// layer, folded or not; costs nothing where nothing is protected.
import type { Diagnostic, Position } from "../../diagnostic.ts";
import { objectId, objectText } from "../../object-id.ts";
import { type JudgedDocument, type JudgedTarget, type LayerOwner, readValues } from "../../layers/index.ts";
import {
  compare,
  isNullNode,
  parsePath,
  pathText,
  type Step,
  leafOf,
  isUnchanged,
} from "../../merge/index.ts";
import type { Node } from "../../yaml/index.ts";
import { notKeys, partlyAllowed, type UnknownProtection, whyUnknown } from "./unknown-protection.ts";
import { isAllowed, permissionText, type Protection } from "./protection.ts";
import { entryAt, mappingsAbove, type Setting, settingsAt } from "./settings-at.ts";

type ProtectedTarget = Pick<JudgedTarget, "title" | "at">;

/**
 * Faults of documents that break a rule, and of those that may break it and cannot be read.
 * @param documents of a stack, lowest first
 */
export function protectedFaults(
  documents: readonly JudgedDocument[],
  target: ProtectedTarget,
  protections: readonly Protection[],
): Diagnostic[] {
  return protections.flatMap((each) => new ProtectionCheck(each, target).faultsOf(documents));
}

class ProtectionCheck {
  private readonly protection: Protection;
  private readonly target: ProtectedTarget;
  private readonly parents = new Set<string>();

  constructor(protection: Protection, target: ProtectedTarget) {
    this.protection = protection;
    this.target = target;
  }

  faultsOf(documents: readonly JudgedDocument[]): Diagnostic[] {
    return documents.flatMap((document, index) => {
      const root = document.root ?? rootOfText(document);
      const settings = root === undefined ? [] : settingsAt(root, this.protection.steps);
      const below = documents.slice(0, index);
      const opening = root === undefined ? [] : this.opening(root, below);
      const found = this.faults(document, [...settings, ...opening], below);
      for (const { path, isAbove } of settings) if (!isAbove) this.rememberParents(path);
      return found;
    });
  }

  /** Mappings that take the place of a null above the path: what the null removed comes back, a chart's default for one. */
  private opening(root: Node, below: readonly JudgedDocument[]): readonly Setting[] {
    if (below.length === 0 || !root.value.isMapping) return [];
    return mappingsAbove(root, this.protection.steps).filter(({ path }) => {
      const lower = valueBelow(path, below);
      return lower !== undefined && isNullNode(lower.node);
    });
  }

  /** Remembers every mapping above a protected value. */
  private rememberParents(path: readonly string[]): void {
    for (let length = path.length - 1; length > 0; length--) {
      const key = keyOf(path.slice(0, length));
      if (this.parents.has(key)) return;
      this.parents.add(key);
    }
  }

  private faults(
    document: JudgedDocument,
    settings: readonly Setting[],
    below: readonly JudgedDocument[],
  ): Diagnostic[] {
    const { owner } = document;
    if (owner === undefined) return [];
    const permission = this.permissionOf(document, owner);
    if (permission === "all") return [];
    if (document.targetPath !== undefined) return this.byTargetPath(document, document.targetPath, owner);
    const unknown = whyUnknown(document);
    if (unknown !== undefined) return [this.unknownFault(document, owner, unknown)];
    const [first, ...more] = this.broken(document, settings, below);
    if (first === undefined) return [];
    return [
      permission === "some"
        ? this.unknownFault(document, owner, partlyAllowed)
        : this.fault(document, owner, first, more.length, below),
    ];
  }

  /** For a layer folded earlier, the source of a value is unknown: only whether all, some or none of its layers may set it. */
  private permissionOf({ foldedFrom }: JudgedDocument, owner: LayerOwner): "all" | "some" | "none" {
    const allowed = (foldedFrom ?? [owner]).map((each) => isAllowed(each, this.protection.rule));
    if (allowed.every(Boolean)) return "all";
    return allowed.some(Boolean) ? "some" : "none";
  }

  /** Flux sets one value there, over all layers below. */
  private byTargetPath(document: JudgedDocument, path: string, owner: LayerOwner): Diagnostic[] {
    const { rule, steps } = this.protection;
    const set = parsePath(path);
    const keys = "wrongAt" in set ? undefined : set.map((step) => ("key" in step ? step.key : undefined));
    if (keys === undefined || keys.includes(undefined)) return [this.unknownFault(document, owner, notKeys)];
    if (compare(keys as string[], steps) === undefined) return [];
    return [
      {
        code: "protected-path",
        severity: "error",
        message: `\`${rule.path}\` is protected, and \`targetPath: ${path}\` sets it`,
        reason: `only ${permissionText(rule)} may set it`,
        ...ownerRef(owner),
        at: this.target.at,
        hint: "remove the entry, or have it allowed in the setting `protect`",
      },
    ];
  }

  private broken(
    { isSecret }: JudgedDocument,
    settings: readonly Setting[],
    below: readonly JudgedDocument[],
  ): Setting[] {
    const isExact = this.protection.steps.every((step) => "key" in step);
    return settings.filter(({ path, node, isAbove }) => {
      // With `*` any value may be above: only existing ones can be lost.
      if (isAbove && !node.value.isMapping && !isExact && !this.parents.has(keyOf(path))) return false;
      const lower = valueBelow(path, below);
      // A message never reveals whether a secret equals another value.
      if (lower === undefined || isSecret || lower.document.isSecret) return true;
      if (isEmptyMapping(node) && lower.node.value.isMapping) return false;
      return !isUnchanged(leafOf(node), leafOf(lower.node));
    });
  }

  private fault(
    document: JudgedDocument,
    owner: LayerOwner,
    { path, node, isAbove }: Setting,
    more: number,
    below: readonly JudgedDocument[],
  ): Diagnostic {
    const { rule, steps } = this.protection;
    const { isSecret } = document;
    const own = pathText(path);
    const part = isAbove ? `\`${own}\` replaces it` : `\`${own}\` is part of it`;
    const set = isSecret || isExactly(path, steps) ? "" : `, and ${part}`;
    const others = more === 0 || isSecret ? "" : `; ${more} more in this layer`;
    const lower = valueBelow(path, below);
    return {
      code: "protected-path",
      severity: "error",
      message: `\`${rule.path}\` is protected${set}: only ${permissionText(rule)} may set it${others}`,
      ...ownerRef(owner),
      at: document.positionAt(node),
      ...(lower === undefined ? {} : { also: [placeOfLower(lower)] }),
      hint: "remove it from this layer, or have it allowed in the setting `protect`",
    };
  }

  private unknownFault(
    document: JudgedDocument,
    owner: LayerOwner,
    { severity, why, hint }: UnknownProtection,
  ): Diagnostic {
    return {
      code: "protected-path",
      severity,
      message: `\`${this.protection.rule.path}\` of ${this.target.title} is protected`,
      reason: `it is unknown here whether \`${objectText(owner)}\` sets it: ${why}`,
      ...ownerRef(owner),
      ...(owner.kind === undefined && { at: document.positionAt() }),
      hint,
    };
  }
}

/** No position inside a Secret: it would reveal that the key exists. */
function placeOfLower({ document, node }: LowerValue): Position {
  return document.isSecret ? document.positionAt() : document.positionAt(node);
}

/** Messages about a file name its place. */
function ownerRef({ kind, ...named }: LayerOwner): Pick<Diagnostic, "item"> {
  return kind === undefined ? {} : { item: objectId({ kind, ...named }) };
}

/** A file that is replaced whole may hold values for its consumer. */
function rootOfText({ whole }: JudgedDocument): Node | undefined {
  return whole === undefined ? undefined : readValues(Buffer.from(whole, "utf8")).root;
}

function keyOf(path: readonly string[]): string {
  return JSON.stringify(path);
}

/** True for exactly the path of a rule without wildcards, whatever the spelling of its keys. */
function isExactly(path: readonly string[], steps: readonly Step[]): boolean {
  return path.length === steps.length && steps.every((step) => "key" in step);
}

/** An empty mapping over a mapping changes nothing. */
function isEmptyMapping(node: Node): boolean {
  const value = node.value;
  return value.isMapping && value.members().length === 0;
}

interface LowerValue {
  readonly document: JudgedDocument;
  readonly node: Node;
}

/** The value at a path below a document; undefined if none sets one, or it is unknown. */
function valueBelow(path: readonly string[], below: readonly JudgedDocument[]): LowerValue | undefined {
  for (const document of below.toReversed()) {
    if (document.unknown !== undefined) return undefined;
    const found = document.root === undefined ? undefined : entryAt(document.root, path);
    if (found === "other") return undefined;
    if (found !== undefined) return { document, node: found };
  }
  return undefined;
}
