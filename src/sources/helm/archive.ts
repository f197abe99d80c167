// A chart's archive (`.tgz`) → its files, in memory. What Helm refuses is refused, and nothing is written.
import { gunzipSync } from "node:zlib";

/** Names start below the folder that all of them are in. */
export type ArchivedFiles = ReadonlyMap<string, Uint8Array>;

/** Helm's own bound. */
const mostBytesOfFile = 5 * 1024 * 1024;
const block = 512;

/** What a chart may still have, with all charts and archives below it. Helm has the same bound of bytes for each archive. */
export class ChartBudget {
  private bytes = 100 * 1024 * 1024;
  private files = 20_000;
  /** Why nothing more is read. */
  wrong: string | undefined;

  /** For `gunzip`, which needs a bound. */
  get mostBytes(): number {
    return Math.max(this.bytes, 1);
  }

  take(bytes: number, files: number): void {
    this.bytes -= bytes;
    this.files -= files;
    if (this.files < 0) this.wrong = "the whole chart has more than 20,000 files";
    if (this.bytes < 0) this.wrong = "the whole chart unpacks to more than 100 MiB";
  }
}

/** Why a file is no archive of a chart. */
export interface ArchiveFault {
  readonly wrong: string;
}

export function unpacked(packed: Uint8Array, budget: ChartBudget): ArchivedFiles | ArchiveFault {
  try {
    const bytes = gunzipSync(packed, { maxOutputLength: budget.mostBytes });
    const files = filesIn(bytes);
    budget.take(bytes.length, files.size);
    return budget.wrong === undefined ? files : { wrong: budget.wrong };
  } catch (error) {
    if (error instanceof RangeError) budget.take(Infinity, 0);
    if (error instanceof RefusedArchive) return { wrong: error.message };
    return { wrong: budget.wrong ?? "it is no archive" };
  }
}

class RefusedArchive extends Error {}

function filesIn(bytes: Buffer): ArchivedFiles {
  const files = new Map<string, Uint8Array>();
  let longName: string | undefined;
  for (let at = 0; at + block <= bytes.length && bytes[at] !== 0;) {
    const header = bytes.subarray(at, at + block);
    const size = sizeIn(header);
    const type = String.fromCharCode(header[156] ?? 0);
    const start = at + block;
    if (start + size > bytes.length) throw new RefusedArchive("it ends within a file");
    const content = bytes.subarray(start, start + size);
    at = start + Math.ceil(size / block) * block;
    if (type === "x") longName = paxName(content) ?? longName;
    else if (type === "L") longName = textIn(content);
    else if (type !== "g") {
      const name = longName ?? nameIn(header);
      longName = undefined;
      if (type === "0" || type === "\0") add(files, name, content);
    }
  }
  if (files.size === 0) throw new RefusedArchive("it has no files");
  return files;
}

function add(files: Map<string, Uint8Array>, name: string, content: Uint8Array): void {
  if (content.length > mostBytesOfFile)
    throw new RefusedArchive(`a file in it has more than 5 MiB: \`${name}\``);
  const plain = name.replaceAll("\\", "/");
  if (/^(?:\/|[A-Za-z]:)/.test(plain)) throw new RefusedArchive(`a name in it is absolute: \`${name}\``);
  const steps = plain.split("/").filter((step) => step !== "" && step !== ".");
  if (steps.includes("..")) throw new RefusedArchive(`a name in it leads out of the chart: \`${name}\``);
  const own = steps.slice(1).join("/");
  if (own !== "") files.set(own, content);
}

function nameIn(header: Buffer): string {
  const [name, prefix] = [textIn(header.subarray(0, 100)), textIn(header.subarray(345, 500))];
  const hasPrefix = header.toString("latin1", 257, 262) === "ustar" && prefix !== "";
  return hasPrefix ? `${prefix}/${name}` : name;
}

function sizeIn(header: Buffer): number {
  const field = header.subarray(124, 136);
  if (((field[0] ?? 0) & 0x80) !== 0) throw new RefusedArchive("a file in it has more than 5 MiB");
  return Number.parseInt(textIn(field).trim() || "0", 8);
}

/** The bytes before the first zero. */
function textIn(field: Buffer): string {
  const end = field.indexOf(0);
  return field.toString("utf8", 0, end < 0 ? field.length : end);
}

/** `27 path=…` and a line's end. */
function paxName(content: Buffer): string | undefined {
  return /(?:^|\n)\d+ path=([^\n]*)\n/.exec(content.toString("utf8"))?.[1];
}
