// A chart's archive (`.tgz`) → its files, in memory. Helm's own code unpacks it, and refuses what it refuses; nothing is written.
import { ask } from "../../engine/index.ts";

/** Names start below the folder that all of them are in. */
export type ArchivedFiles = ReadonlyMap<string, Uint8Array>;

/** What a chart may still have, with all charts and archives below it. Helm has the same bound of bytes for each archive. */
export class ChartBudget {
  private bytes = 100 * 1024 * 1024;
  private files = 20_000;
  /** Why nothing more is read. */
  wrong: string | undefined;

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

export async function unpacked(
  packed: Uint8Array,
  budget: ChartBudget,
): Promise<ArchivedFiles | ArchiveFault> {
  const files = new Map([["/chart.tgz", packed]]);
  const answer = await ask({ op: "unpack", files, most: budget.mostBytes });
  if (answer.cut !== undefined) return { wrong: "it takes too much to unpack it" };
  budget.take(Number(answer["bytes"] ?? 0), answer.files.size);
  const { error = "" } = answer;
  const isOfHelm = /^(?:chart|decompressed chart|no files) /.test(error);
  const wrong = budget.wrong ?? (error === "" || isOfHelm ? error : `it is no archive (${error})`);
  return wrong === "" ? answer.files : { wrong };
}
