// The signature of a macOS executable. The bundler signs for arm64. For x64 it leaves the runtime's own signature, which
// no longer fits, and macOS kills what has such a one. So it is replaced by one that says nothing but what the bytes are
// ("ad hoc"): format as in Apple's cs_blobs.h.
import { createHash } from "node:crypto";

const segmentCommand = 0x19;
const signatureCommand = 0x1d;
const pageBytes = 4096;
const hashBytes = 32;
const headerBytes = 88;
const identifier = "valuefold\0";

interface Signature {
  /** Where the signature command, and the segments named `__TEXT` and `__LINKEDIT`, stand. */
  readonly command: number;
  readonly text: number;
  readonly linkEdit: number;
  /** Where the signature itself begins, and so what it signs ends. */
  readonly start: number;
}

/** The same executable with a signature that fits: itself, if its own does. */
export function signed(executable: Buffer): Buffer {
  const found = signatureOf(executable);
  return fits(executable, found.start) ? executable : resigned(executable, found);
}

function signatureOf(executable: Buffer): Signature {
  const found = { command: 0, text: 0, linkEdit: 0 };
  let at = 32;
  for (let left = executable.readUInt32LE(16); left > 0; left--) {
    const command = executable.readUInt32LE(at);
    const name = executable.toString("latin1", at + 8, at + 24).replace(/\0+$/, "");
    if (command === signatureCommand) found.command = at;
    if (command === segmentCommand && name === "__TEXT") found.text = at;
    if (command === segmentCommand && name === "__LINKEDIT") found.linkEdit = at;
    at += executable.readUInt32LE(at + 4);
  }
  if (Object.values(found).includes(0)) throw new Error("expected a signed Mach-O executable");
  return { ...found, start: executable.readUInt32LE(found.command + 8) };
}

/** Whether every page has the hash that the signature at `start` tells, and nothing lies between. */
export function fits(executable: Buffer, start = signatureOf(executable).start): boolean {
  const count = executable.readUInt32BE(start + 8);
  const offsets = Array.from({ length: count }, (_, index) =>
    executable.readUInt32BE(start + 16 + 8 * index),
  );
  const directory = offsets
    .map((offset) => start + offset)
    .find((at) => executable.readUInt32BE(at) === 0xfade0c02);
  if (directory === undefined || executable.readUInt32BE(directory + 32) !== start) return false;
  const hashes = directory + executable.readUInt32BE(directory + 16);
  const told = executable.subarray(hashes, hashes + hashBytes * executable.readUInt32BE(directory + 28));
  return told.equals(pageHashes(executable.subarray(0, start)));
}

function resigned(executable: Buffer, { command, text, linkEdit, start }: Signature): Buffer {
  const directoryBytes = headerBytes + identifier.length + hashBytes * Math.ceil(start / pageBytes);
  const blobBytes = 20 + directoryBytes;
  const signedPart = Buffer.from(executable.subarray(0, start));
  // The two commands are signed, too: they must tell the new size first.
  signedPart.writeUInt32LE(blobBytes, command + 12);
  const linkEditBytes = start + blobBytes - Number(signedPart.readBigUInt64LE(linkEdit + 40));
  signedPart.writeBigUInt64LE(BigInt(linkEditBytes), linkEdit + 48);
  signedPart.writeBigUInt64LE(BigInt(Math.ceil(linkEditBytes / pageBytes) * pageBytes), linkEdit + 32);
  const head = bigEndian(0xfade0cc0, blobBytes, 1, 0, 20);
  const textBytes = Number(signedPart.readBigUInt64LE(text + 48));
  return Buffer.concat([signedPart, head, codeDirectory(signedPart, directoryBytes, textBytes)]);
}

/** The list of hashes, and what macOS wants to know of it: version 0x20400, ad hoc, SHA-256, a main binary. */
function codeDirectory(code: Buffer, bytes: number, textBytes: number): Buffer {
  const hashes = headerBytes + identifier.length;
  const pages = Math.ceil(code.length / pageBytes);
  const head = bigEndian(0xfade0c02, bytes, 0x20400, 2, hashes, headerBytes, 0, pages, code.length);
  const kinds = Buffer.from([hashBytes, 2, 0, Math.log2(pageBytes)]);
  const unused = bigEndian(0, 0, 0, 0, 0, 0);
  const textSegment = bigEndian(0, 0, 0, textBytes, 0, 1);
  return Buffer.concat([head, kinds, unused, textSegment, Buffer.from(identifier), pageHashes(code)]);
}

function pageHashes(code: Buffer): Buffer {
  const pages = Array.from({ length: Math.ceil(code.length / pageBytes) }, (_, index) =>
    code.subarray(index * pageBytes, (index + 1) * pageBytes),
  );
  return Buffer.concat(pages.map((page) => createHash("sha256").update(page).digest()));
}

function bigEndian(...words: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * words.length);
  words.forEach((word, index) => bytes.writeUInt32BE(word, 4 * index));
  return bytes;
}
