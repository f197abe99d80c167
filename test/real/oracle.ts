// A line protocol to an oracle program: one JSON request a line, one JSON answer a line.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createInterface } from "node:readline";

export class Oracle<Request, Answer> {
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly waiting: ((answer: Answer) => void)[] = [];

  constructor(program: string) {
    this.child = spawn(program, [], { stdio: "pipe" });
    this.child.stderr.pipe(process.stderr);
    createInterface({ input: this.child.stdout }).on("line", (line) =>
      this.waiting.shift()?.(JSON.parse(line) as Answer),
    );
  }

  ask(request: Request): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.waiting.push(resolve);
      this.child.once("error", reject);
      this.child.stdin.write(`${JSON.stringify(request)}\n`, () =>
        this.child.removeListener("error", reject),
      );
    });
  }

  close(): void {
    this.child.stdin.end();
  }
}
