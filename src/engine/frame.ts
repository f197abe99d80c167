// Requests and answers as bytes: the length of the head, the length of the body (32 bits, the lowest byte first), the head
// (JSON), the body (the bytes of the files that the head lists, one after another).

export interface EngineRequest {
  readonly op: string;
  /** By absolute, clean paths. Nothing else is reachable. */
  readonly files?: ReadonlyMap<string, Uint8Array | string>;
  readonly [argument: string]: unknown;
}

export interface EngineAnswer {
  /** What is cut has a reason here. */
  readonly cut?: undefined;
  readonly error?: string;
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly [result: string]: unknown;
}

interface FrameFile {
  /** Its name. */
  readonly n: string;
  /** Its size. */
  readonly s: number;
}

const lengths = 8;

export function framed({ files = new Map(), ...head }: EngineRequest): Uint8Array {
  const contents = [...files].map(([name, content]) => ({ name, bytes: Buffer.from(content) }));
  const entries = contents.map(({ name, bytes }): FrameFile => ({ n: name, s: bytes.length }));
  const text = Buffer.from(JSON.stringify({ ...head, files: entries }));
  const start = Buffer.alloc(lengths);
  start.writeUInt32LE(text.length, 0);
  start.writeUInt32LE(
    contents.reduce((sum, { bytes }) => sum + bytes.length, 0),
    4,
  );
  return Buffer.concat([start, text, ...contents.map(({ bytes }) => bytes)]);
}

/** How long the frame is that begins here; undefined while that is not known. */
export function frameLength(bytes: Uint8Array): number | undefined {
  if (bytes.length < lengths) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, lengths);
  return lengths + view.getUint32(0, true) + view.getUint32(4, true);
}

export function answerIn(frame: Uint8Array): EngineAnswer {
  const view = new DataView(frame.buffer, frame.byteOffset, lengths);
  const end = lengths + view.getUint32(0, true);
  const text = Buffer.from(frame.buffer, frame.byteOffset + lengths, end - lengths).toString("utf8");
  const head = JSON.parse(text) as { readonly files: readonly FrameFile[]; readonly error?: string };
  const files = new Map<string, Uint8Array>();
  let at = end;
  for (const { n: name, s: size } of head.files) files.set(name, frame.subarray(at, (at += size)));
  return { ...head, files };
}
