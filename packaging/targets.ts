// What an executable can be made for. The names are those of the archives.

export interface Target {
  readonly name: string;
  readonly os: "linux" | "darwin";
  readonly arch: "x64" | "arm64";
  /**
   * Where its C library is: `system`'s own; `musl`, which brings the two libraries that musl systems may lack; `bare`,
   * which brings all, its loader too, and so lives at one place.
   */
  readonly libc: "system" | "musl" | "bare";
  /** The npm package that holds its runtime, and what the bundler calls that. */
  readonly runtime: string;
}

/** Both runtimes for x64 are those for processors without AVX2, too: they start no slower. */
const linux = [
  { arch: "x64", glibc: "bun-linux-x64-baseline", musl: "bun-linux-x64-musl-baseline" },
  { arch: "arm64", glibc: "bun-linux-aarch64", musl: "bun-linux-aarch64-musl" },
] as const;

export const targets: readonly Target[] = [
  ...linux.flatMap(({ arch, glibc, musl }): Target[] => [
    { name: `linux-${arch}`, os: "linux", arch, libc: "system", runtime: glibc },
    { name: `linux-${arch}-musl`, os: "linux", arch, libc: "musl", runtime: musl },
    { name: `linux-${arch}-bare`, os: "linux", arch, libc: "bare", runtime: glibc },
  ]),
  { name: "darwin-x64", os: "darwin", arch: "x64", libc: "system", runtime: "bun-darwin-x64-baseline" },
  { name: "darwin-arm64", os: "darwin", arch: "arm64", libc: "system", runtime: "bun-darwin-aarch64" },
];

/** Where the bare form lives: its loader is looked for there, so it runs from nowhere else. */
export const bareHome = "/opt/valuefold";

/** Why nothing is made: for whoever asked for it. */
export class Unmade extends Error {}

/** The targets of these names, or all. Throws for a name that is none. */
export function targetsNamed(names: readonly string[]): readonly Target[] {
  if (names.length === 0) return targets;
  return names.map((name) => {
    const target = targets.find((each) => each.name === name);
    if (target === undefined)
      throw new Unmade(`${name}: expected one of ${targets.map((each) => each.name).join(", ")}`);
    return target;
  });
}
