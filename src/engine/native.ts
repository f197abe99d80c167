// The native build in a process of its own, with an empty environment, in the root of the file system.
import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";
import { frameLength } from "./frame.ts";
import type { Start } from "./transport.ts";

export function nativeAt(file: string): Start {
  return ({ answered, ended }) => {
    const child = spawn(file, [], { env: {}, cwd: "/", stdio: ["pipe", "pipe", "ignore"] });
    child.on("error", () => ended("failed"));
    // Go ends with 2 where memory or stack does not suffice.
    child.on("close", (status) => ended(status === 2 ? "too-large" : "failed"));
    // A process that ended reads no more; that it ended is reported above.
    child.stdin.on("error", () => undefined);
    // Frames that came with the one after which it was stopped are dropped, too.
    let isStopped = false;
    child.stdout.on(
      "data",
      framesTo((frame) => {
        if (!isStopped) answered(frame);
      }),
    );
    unref(child);
    const stop = (): void => {
      isStopped = true;
      child.removeAllListeners();
      child.on("error", () => undefined);
      child.stdout.removeAllListeners("data");
      child.kill("SIGKILL");
    };
    return { send: (frame) => void child.stdin.write(frame), stop };
  };
}

/** Its pipes keep the program alive, too. The runtime of executables has no such function for what is written to. */
function unref(child: ChildProcess): void {
  child.unref();
  const pipes = [child.stdin, child.stdout] as readonly (Partial<Pick<Socket, "unref">> | null)[];
  for (const pipe of pipes) pipe?.unref?.();
}

/** Pieces of a stream → the frames in it. */
export function framesTo(call: (frame: Uint8Array) => void): (piece: Uint8Array) => void {
  let pieces: Uint8Array[] = [];
  let size = 0;
  let length: number | undefined;
  return (piece) => {
    pieces.push(piece);
    size += piece.length;
    for (;;) {
      if (length === undefined || size >= length) pieces = [Buffer.concat(pieces)];
      const [start = piece] = pieces;
      length ??= frameLength(start);
      if (length === undefined || size < length) return;
      call(start.subarray(0, length));
      pieces = [start.subarray(length)];
      size -= length;
      length = undefined;
    }
  };
}
