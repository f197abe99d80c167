// Texts that real readers of this repository meet: layers of the merge cases, and the streams of cases and examples.
import { readdirSync, readFileSync } from "node:fs";
import type { Region } from "../../src/yaml/tape.ts";
import { scanList, splitStream } from "../../src/krm/scan.ts";

export interface Sample {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly region: Region;
}

const root = new URL("../../", import.meta.url);

function filesBelow(folder: string, ending: RegExp): string[] {
  return readdirSync(new URL(folder, root), { recursive: true, encoding: "utf8" })
    .filter((name) => ending.test(name))
    .map((name) => `${folder}${name}`);
}

export function whole(name: string, text: string | Uint8Array): Sample {
  const bytes = typeof text === "string" ? Buffer.from(text) : text;
  return { name, bytes, region: { start: 0, end: bytes.length } };
}

/** The layers of the merge cases, and the results. */
export function mergeTexts(): Sample[] {
  return filesBelow("test/core/merge/", /\.yaml$/).flatMap((file) =>
    readFileSync(new URL(file, root), "utf8")
      .split(/^---\n|^# =>\n/m)
      .map((text) => (text.startsWith("!json ") ? (JSON.parse(text.slice(6)) as string) : text))
      .map((text, at) => whole(`${file} ${at}`, text)),
  );
}

/** Every document of every stream, and every item of every list, by the regions that items are read by. */
export function streamItems(folder: string): Sample[] {
  return filesBelow(folder, /\.ya?ml$/).flatMap((file) => itemsOf(file, readFileSync(new URL(file, root))));
}

export function itemsOf(name: string, bytes: Buffer): Sample[] {
  return splitStream(bytes).flatMap((span, at) => {
    const list = span.inline ? undefined : scanList(bytes, span);
    const document: Sample = { name: `${name} ${at}`, bytes, region: { start: span.start, end: span.end } };
    if (list === undefined || list.items.length === 0) return [document];
    const { column } = list;
    return list.items.map((item, index) => ({
      name: `${name} item ${index}`,
      bytes,
      region: { start: item.start - column, end: item.end, blank: column + 1 },
    }));
  });
}

/** The texts of literal blocks in items: mostly values of layers. */
export function blockTexts({ name, bytes, region }: Sample): Sample[] {
  const text = Buffer.from(bytes).toString("utf8", region.start, region.end);
  const blocks = text.matchAll(/^( *)(?:- )?[^\s#][^\n]*: [|>][-+]?\n((?:\1 +[^\n]*\n|[ ]*\n)+)/gm);
  return [...blocks].map(([, , block = ""], at) => {
    const indent = /^\n*( *)/.exec(block)?.[1] ?? "";
    return whole(`${name} block ${at}`, block.replaceAll(new RegExp(`^${indent}`, "gm"), ""));
  });
}
