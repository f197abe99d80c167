// Links from the page to the files that its places name, where the user says that they can be looked at.
import type { Explanation } from "../../explanation.ts";

/** Where a reader of the page finds the files that its places name. */
export interface SourceLinks {
  /** A URL with `{file}`, and perhaps `{line}`. */
  readonly template: string;
  /** What `{file}` becomes; undefined for a file without a link. */
  readonly pathOf: (file: string) => string | undefined;
}

/** The same as data of the page. */
export interface FileLinks {
  /** `https://git.example/shop/blob/main/{file}#L{line}` */
  readonly template: string;
  /** What `{file}` becomes, by files as places name them. */
  readonly files: readonly (readonly [file: string, path: string])[];
}

export function fileLinks({ targets }: Explanation, { template, pathOf }: SourceLinks): FileLinks {
  const files = new Set<string>();
  for (const { at, stacks } of targets) {
    const layers = stacks.flatMap((stack) => stack.layers);
    const values = stacks.flatMap((stack) => stack.values.flatMap((value) => [value, ...value.over]));
    for (const place of [at, ...[...layers, ...values].map((each) => each.at)])
      if (place?.file !== undefined) files.add(place.file);
  }
  const linked = [...files].map((file) => [file, pathOf(file)] as const);
  return { template, files: linked.flatMap(([file, path]) => (path === undefined ? [] : [[file, path]])) };
}
