// Values of which each is the file and the line where it is written: `"values.yaml#3"`.

type Random = (below: number) => number;

/** Lines of a file, in which values may be written. */
export class StampedFile {
  readonly name: string;
  private readonly lines: string[] = [];

  constructor(name: string) {
    this.name = name;
  }

  /** @returns the stamp of the line, for what is in it */
  add(line: (stamp: string) => string): void {
    this.lines.push(line(`${this.name}#${this.lines.length + 1}`));
  }

  text(): string {
    return `${this.lines.join("\n")}\n`;
  }
}

const keys = ["a", "b", "c", "d", "global"];

/** A mapping in block form. @param depth how many levels it may have */
export function addValues(
  file: StampedFile,
  random: Random,
  { indent = "", depth = 3, nulls = true }: { indent?: string; depth?: number; nulls?: boolean } = {},
): void {
  const own = keys.filter((_, index) => random(3) > 0 || index === random(keys.length));
  if (own.length === 0) own.push("a");
  for (const key of own) {
    const kind = random(12);
    const isGlobal = key === "global";
    if ((kind < 4 || (isGlobal && kind < 8)) && depth > 1) {
      file.add(() => `${indent}${key}:`);
      addValues(file, random, { indent: `${indent}  `, depth: depth - 1, nulls });
    } else if (kind === 11) file.add(() => `${indent}${key}: {}`);
    else if (isGlobal) file.add((stamp) => `${indent}${key}: {a: "${stamp}"}`);
    else if (kind === 9 && nulls) file.add(() => `${indent}${key}: null`);
    else if (kind === 8) file.add((stamp) => `${indent}${key}: ["${stamp}", x]`);
    else file.add((stamp) => `${indent}${key}: "${stamp}"`);
  }
}
