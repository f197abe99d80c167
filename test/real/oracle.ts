// A line protocol to an oracle program: one JSON request a line, one JSON answer a line. Many may be under way at once.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** What a fold printed, without its warnings: a warning's place, reason and cure are the indented lines below it. */
export const withoutWarnings = (messages: string): string =>
  messages.replaceAll(/^warning.*\n(?: .*\n)*/gm, "");

interface Waiting<Answer> {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (why: Error) => void;
}

export class Oracle<Request, Answer> {
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly waiting: Waiting<Answer>[] = [];
  private ended: Error | undefined;

  constructor(program: string) {
    this.child = spawn(program, [], { stdio: "pipe" });
    this.child.stderr.pipe(process.stderr);
    createInterface({ input: this.child.stdout }).on("line", (line) =>
      this.waiting.shift()?.resolve(JSON.parse(line) as Answer),
    );
    const end = (why: Error): void => {
      for (const { reject } of this.waiting.splice(0)) reject(why);
    };
    this.child.on("error", end);
    this.child.stdin.on("error", end);
    this.child.on("close", () => {
      this.ended = new Error(`${program} ended`);
      end(this.ended);
    });
  }

  ask(request: Request): Promise<Answer> {
    if (this.ended !== undefined) return Promise.reject(this.ended);
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject });
      this.child.stdin.write(`${JSON.stringify(request)}\n`);
    });
  }

  close(): void {
    this.child.stdin.end();
  }
}
