// Are the comparisons any good? Each bug below is put into the reader's source, and they must find it.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readFast } from "../../../src/yaml/fast-reader.ts";
import { compareReaders, type FastReader } from "../../support/compare-readers.ts";
import { generatedDocument } from "../../support/nasty-yaml.ts";

interface Bug {
  readonly name: string;
  readonly file: string;
  /** Must stand in the file once. */
  readonly right: string;
  readonly wrong: string;
}

const bugs: readonly Bug[] = [
  {
    name: "an escape of one digit is enough",
    file: "fast-scalars.ts",
    right: "byte === 0x78 ? 2",
    wrong: "byte === 0x78 ? 1",
  },
  {
    name: "a code beyond Unicode",
    file: "fast-scalars.ts",
    right: "code > 0x10ffff ? 0",
    wrong: "code > 0x7fffffff ? 0",
  },
  {
    name: "block scalars take text at their key's column",
    file: "fast-blocks.ts",
    right: "if (indent > column) {",
    wrong: "if (indent >= column) {",
  },
  {
    name: "blank lines deeper than a block scalar's first line",
    file: "fast-blocks.ts",
    right: "if (explicit === 0 && hasDeeperBlank(bytes, first, newline, indent)) return",
    wrong: "if (false) return",
  },
  {
    name: "trailing blank lines as deep as the text",
    file: "fast-blocks.ts",
    right: "newline - 1 - at > indent",
    wrong: "newline - 1 - at >= indent",
  },
  {
    name: "`+` is not heeded",
    file: "fast-blocks.ts",
    right: "const keep = (header & 1) === 1;",
    wrong: "const keep = false;",
  },
  {
    name: "a digit in the header does not count",
    file: "fast-blocks.ts",
    right: "explicit === 0 ? indent : column + explicit",
    wrong: "indent",
  },
  {
    name: "a lone dash between brackets is text",
    file: "fast-scalars.ts",
    right: "if (bytes[at] === 0x2d && !isFlowGap(bytes, at + 1, limit)) return true;",
    wrong: "if (bytes[at] === 0x2d) return true;",
  },
  {
    name: "a tab is like any other byte of plain text",
    file: "fast-scalars.ts",
    right: "else if (byte < 0x20) return failControl(state, byte);",
    wrong: "else if (byte < 0x09) return failControl(state, byte);",
  },
  {
    name: "a comment needs no space before it",
    file: "fast-state.ts",
    right: "byte === 0x23 && bytes[at - 1] === 0x20",
    wrong: "byte === 0x23",
  },
  {
    name: "a colon needs nothing behind it",
    file: "fast-state.ts",
    right: "at < limit && bytes[at] === 0x3a && (at + 1 >= limit || gaps[bytes[at + 1] as number] === 1)",
    wrong: "at < limit && bytes[at] === 0x3a",
  },
  {
    name: "columns count from the start of the input",
    file: "fast-state.ts",
    right: "this.entryColumn = entry - this.lineStart;",
    wrong: "this.entryColumn = entry;",
  },
  {
    name: "a flow collection ends before its bracket",
    file: "fast-flow.ts",
    right: "  state.at++;\n  state.end = state.at;",
    wrong: "  state.end = state.at;\n  state.at++;",
  },
  {
    name: "one level too deep",
    file: "fault.ts",
    right: "export const maxDepth = 200;",
    wrong: "export const maxDepth = 201;",
  },
  {
    name: "an absent item stands at its dash",
    file: "fast-reader.ts",
    right:
      "if (state.column > column) return readNode(parent, column, depth + 1);\n  state.add(Kind.empty, empty, empty, parent);",
    wrong:
      "if (state.column > column) return readNode(parent, column, depth + 1);\n  state.add(Kind.empty, empty - 1, empty - 1, parent);",
  },
  {
    name: "keys of any length",
    file: "fast-reader.ts",
    right: "const maxKeyLength = 1024;",
    wrong: "const maxKeyLength = 1027;",
  },
  {
    name: "lines deeper than their mapping go to its parent",
    file: "fast-reader.ts",
    right: 'return readNode(-1, oneLine, 0) && (state.column < 0 || state.refuse("column"));',
    wrong: "return readNode(-1, oneLine, 0);",
  },
  {
    name: "plain text goes on after a comment",
    file: "fast-state.ts",
    right: "if (bytes[between] !== 0x20 && bytes[between] !== 0x0a) return false;",
    wrong: "",
  },
  {
    name: "plain text of a deeper collection goes on",
    file: "fast-state.ts",
    right: "rows[last + Field.parent] !== parent",
    wrong: "false",
  },
  {
    name: "quoted text goes on at the column of its key",
    file: "fast-scalars.ts",
    right: "return at - start > column ?",
    wrong: "return at - start >= column ?",
  },
  {
    name: "a key on several lines",
    file: "fast-reader.ts",
    right:
      'if (textKinds[first] !== Kind.plain && bytes.indexOf(0x0a, start) < end) return state.refuse("lines");',
    wrong: "",
  },
];

const source = fileURLToPath(new URL("../../../src/yaml/", import.meta.url));
let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "valuefold-bugs-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function planted({ file, right, wrong }: Bug): Plugin {
  return {
    name: "bug",
    setup(builder) {
      builder.onLoad({ filter: /\/(?:fast-[a-z]+|fault)\.ts$/ }, ({ path }) => {
        const text = readFileSync(path, "utf8");
        return { contents: path.endsWith(file) ? text.replace(right, () => wrong) : text, loader: "ts" };
      });
    },
  };
}

async function readerWith(bug: Bug, index: number): Promise<FastReader> {
  const outfile = join(folder, `bug${index}.mjs`);
  await build({
    entryPoints: [join(source, "fast-reader.ts")],
    plugins: [planted(bug)],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "silent",
  });
  const module = (await import(pathToFileURL(outfile).href)) as { readFast: FastReader };
  return module.readFast;
}

/** The first document that tells. Where both readers say the same, the sound one is compared elsewhere. */
function seedThatTells(broken: FastReader): number {
  for (let seed = 0; seed < 50_000; seed++) {
    const { bytes, region } = generatedDocument(seed);
    const [sound, other] = [readFast(bytes, region), broken(bytes, region)];
    const alike =
      "refused" in other ||
      ("rows" in sound && Buffer.compare(bytesOf(sound.rows), bytesOf(other.rows)) === 0);
    if (!alike && compareReaders(broken, bytes, region).difference !== undefined) return seed;
  }
  return -1;
}

function bytesOf({ buffer, byteOffset, byteLength }: Int32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

test("the reader as it is, built in the same way, is sound", { tags: "law" }, async () => {
  const { name, file, right } = bugs[0] as Bug;
  const same = await readerWith({ name, file, right, wrong: right }, bugs.length);
  expect(seedThatTells(same)).toBe(-1);
});

test.for(bugs.map((bug, index) => [bug.name, bug, index] as const))("found: %s", async ([, bug, index]) => {
  const text = readFileSync(join(source, bug.file), "utf8");
  expect(text.split(bug.right).length - 1).toBe(1);
  expect(seedThatTells(await readerWith(bug, index))).toBeGreaterThanOrEqual(0);
});
