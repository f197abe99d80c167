// `valuefold worker`, for the controller: this program stays, and runs one command after another. A request is a line of JSON
// on stdin, and so is its ending on stdout. It is no command of the user's: its form may change with any version.
// It runs no other program: a request that needs sops gets a process of its own.
import type { Readable } from "node:stream";
import type { Ending } from "./io.ts";

/** One run. Bytes are in Base64; null is no bytes. */
interface WorkerRequest {
  readonly args: readonly string[];
  /** Where relative names of files start. */
  readonly directory: string;
  readonly stdin: string | null;
}

/** What the process provides. */
export interface WorkerEdge {
  readonly requests: Readable;
  /** Never throws. */
  readonly run: (args: readonly string[], directory: string, input: Uint8Array) => Promise<Ending>;
  readonly answer: (line: string) => void;
}

/** Runs requests until there are no more. @throws for what is no request: the process then ends */
export async function serveRequests({ requests, run, answer }: WorkerEdge): Promise<void> {
  // Slow to load, and of no use to other commands.
  const { createInterface } = await import("node:readline");
  try {
    for await (const line of createInterface({ input: requests })) {
      const { args, directory, stdin } = JSON.parse(line) as WorkerRequest;
      const { exitCode, output, messages } = await run(args, directory, Buffer.from(stdin ?? "", "base64"));
      answer(`${JSON.stringify({ exitCode, stdout: Buffer.concat(output).toString("base64"), messages })}\n`);
    }
  } finally {
    requests.destroy();
  }
}
