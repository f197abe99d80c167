// One engine for all programs that tests start: each would load its own, which takes longer than most of its questions. What they start
// as a native build is a program that passes frames on.
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { answerIn } from "../../src/engine/frame.ts";
import { framesTo } from "../../src/engine/native.ts";
import { startThread } from "../../src/engine/thread.ts";
import type { Transport } from "../../src/engine/transport.ts";

interface Question {
  readonly client: Socket;
  readonly frame: Uint8Array;
}

let server: Server | undefined;
let running: Transport | undefined;
/** The engine has the first one only: whatever ends it is of no other client. */
let questions: Question[] = [];

/** For vitest's `globalSetup`. */
export function setup(): void {
  const folder = mkdtempSync(join(tmpdir(), "engine-"));
  const [socket, program] = [join(folder, "socket"), join(folder, "engine")];
  server = createServer(serve).listen(socket);
  writeFileSync(program, passingTo(socket));
  // Some tests run programs as another user.
  for (const each of [folder, program]) chmodSync(each, 0o755);
  chmodSync(socket, 0o777);
  // Programs get it as `VALUEFOLD_ENGINE`, where a test asks for it.
  process.env["SHARED_ENGINE"] = program;
}

/** A program that passes frames on to the socket of an engine. @param record JavaScript that gets what is asked, as `piece` */
function passingTo(socket: string, record = ""): string {
  return `#!${process.execPath}
const engine = require("node:net").connect(${JSON.stringify(socket)});
process.stdin.on("data", (piece) => { ${record} });
process.stdin.pipe(engine);
engine.pipe(process.stdout);
engine.on("close", () => process.exit(1));
`;
}

/** The shared engine, for `useEngine`, and what it was asked. */
export class RecordedEngine {
  private readonly folder = mkdtempSync(join(tmpdir(), "recorded-"));
  private readonly file = join(this.folder, "frames");
  readonly program = join(this.folder, "engine");

  constructor() {
    const socket = join(dirname(process.env["SHARED_ENGINE"] ?? ""), "socket");
    const record = `require("node:fs").appendFileSync(${JSON.stringify(this.file)}, piece)`;
    writeFileSync(this.program, passingTo(socket, record), { mode: 0o755 });
    this.forget();
  }

  forget(): void {
    writeFileSync(this.file, "");
  }

  /** All bytes that it got. */
  text(): string {
    return readFileSync(this.file, "latin1");
  }

  /** What was asked, less the question that each engine gets first. */
  operations(): readonly unknown[] {
    const all: unknown[] = [];
    framesTo((frame) => all.push(answerIn(frame)["op"]))(readFileSync(this.file));
    return all.filter((each) => each !== "about");
  }
}

export function teardown(): void {
  running?.stop();
  server?.close();
}

function serve(client: Socket): void {
  client.on("error", () => undefined);
  client.on(
    "data",
    framesTo((frame) => {
      questions.push({ client, frame });
      if (questions.length === 1) askFirst();
    }),
  );
  client.on("close", () => {
    const isAsked = questions[0]?.client === client;
    questions = questions.filter((each) => each.client !== client);
    if (isAsked) restart();
  });
}

function askFirst(): void {
  const [first] = questions;
  if (first === undefined) return;
  running ??= startThread({ answered, ended });
  running.send(first.frame);
}

function answered(frame: Uint8Array): void {
  questions.shift()?.client.write(frame);
  askFirst();
}

function ended(): void {
  questions.shift()?.client.destroy();
  restart();
}

function restart(): void {
  running?.stop();
  running = undefined;
  askFirst();
}
