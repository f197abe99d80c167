// Manifests of kind ValueFoldRender among the files that are read → what they render, as the command `render` does it.
import { bufferOf } from "../yaml/index.ts";
import { dirname, relative, resolve } from "node:path";
import { decodeStream, type Envelope, type Item } from "../krm/index.ts";
import type { Diagnostic, ItemRef } from "../diagnostic.ts";
import { objectText } from "../object-id.ts";
import type { Workspace } from "./workspace.ts";
import { notBuilt } from "./not-built.ts";
import { itemsIn, specOf } from "./items.ts";

/** A part of the stream: a file, or what was built. */
export interface StreamPart {
  /** Absent for stdin and for what was built. */
  readonly name?: string;
  /** The path of its file. */
  readonly path?: string;
  readonly bytes: Uint8Array;
}

export interface StreamParts {
  readonly parts: readonly StreamPart[];
  readonly unbuilt: readonly Diagnostic[];
}

/** What a render made. */
export interface RenderOutput {
  readonly item: ItemRef;
  readonly file: string;
  /** `Kind/namespace/name`. */
  readonly objects: readonly string[];
}

interface LocalRender {
  readonly item: Item;
  /** Where its layers are. */
  readonly directory: string;
}

const renderKind = "ValueFoldRender";

function isRender({ kind, apiVersion }: Item): boolean {
  return kind === renderKind && apiVersion.startsWith("valuefold.dev/");
}

/** The renders in a part that is a file. */
export function rendersIn({ path, bytes }: StreamPart): readonly LocalRender[] {
  if (path === undefined) return [];
  return mayRender(bytes)
    .filter(isRender)
    .map((item) => {
      const spec = specOf(item);
      const directory = spec?.textAt("directory");
      return { item, directory: resolve(dirname(path), directory ?? ".") };
    });
}

function mayRender(bytes: Uint8Array): readonly Item[] {
  // Nearly no part has one, and this is much faster than a look at its items.
  return bufferOf(bytes).includes(renderKind) ? itemsIn(bytes) : [];
}

/** The same parts with all that their renders make. An object that a render makes takes the place of an earlier one. */
export async function withRenders(
  parts: readonly StreamPart[],
  { render, from }: Pick<Workspace, "render" | "from">,
): Promise<StreamParts & { readonly rendered: readonly RenderOutput[] }> {
  const unbuilt = parts.filter(({ path }) => path === undefined).flatMap(unrendered);
  const made: StreamPart[] = [];
  const rendered: RenderOutput[] = [];
  for (const part of parts)
    for (const { item } of rendersIn(part)) {
      const { path = "", name = "" } = part;
      const settings = blanked(part.bytes, (each) => each.index !== item.index);
      const outcome = await render({
        config: path,
        settings,
        into: undefined,
        strict: false,
        previous: undefined,
      });
      const [fault] = outcome.diagnostics.filter(({ severity }) => severity === "error");
      if (fault !== undefined) unbuilt.push(failed(item, fault, relative(from, path)));
      else {
        const bytes = Buffer.concat(outcome.output);
        made.push({ bytes });
        rendered.push({ item: refTo(item), file: name, objects: itemsIn(bytes).map(objectText) });
      }
    }
  const isMade = new Set(rendered.flatMap(({ objects }) => objects));
  const kept =
    isMade.size === 0
      ? parts
      : parts.map((part) => ({
          ...part,
          bytes: blanked(part.bytes, (item) => isMade.has(objectText(item))),
        }));
  return { parts: [...kept, ...made], unbuilt, rendered };
}

/** Renders in a build or a pipe: their directories cannot be known. */
function unrendered({ bytes }: StreamPart): Diagnostic[] {
  return mayRender(bytes)
    .filter(isRender)
    .map((item) =>
      notBuilt({
        item: refTo(item),
        message: `\`${objectText(refTo(item))}\` is not rendered: it is a plain item of what is read`,
        hint: "list it under `generators` of the kustomization, or pipe in what `valuefold render` makes",
      }),
    );
}

function failed(item: Item, fault: Diagnostic, file: string): Diagnostic {
  const at = fault.at === undefined || fault.at.text.startsWith("/") ? undefined : fault.at;
  return notBuilt({
    item: refTo(item),
    message: `\`${objectText(refTo(item))}\` cannot be rendered: ${fault.message}`,
    at: at ?? { text: file, isFile: true, ...(fault.at?.line && { line: fault.at.line }) },
    hint: fault.hint,
  });
}

function refTo({ kind, name }: Item): ItemRef {
  return { kind, name };
}

/** The same text with spaces in place of some documents: all others keep their lines. */
function blanked(bytes: Uint8Array, isOut: (item: Item) => boolean): Uint8Array {
  const envelope = decodeStream(bytes);
  if (!("items" in envelope)) return bytes;
  const out = envelope.items.filter((item) => isDocument(item, envelope) && isOut(item));
  if (out.length === 0) return bytes;
  const text = Buffer.from(bytes);
  for (const { start, end } of out)
    for (let at = start; at < end; at++) if (text[at] !== 0x0a) text[at] = 0x20;
  return text;
}

function isDocument(item: Item, { embeddings }: Envelope): boolean {
  return embeddings.get(item)?.type === "document";
}
