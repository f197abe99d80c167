// The names that Argo CD fills in: `$ARGOCD_APP_NAME` in names of files, and in values of parameters.

export interface Filled {
  readonly text: string;
  /** A name in it of which only the cluster knows what it means. */
  readonly unknown?: string;
}

export class ArgoEnvironment {
  /** Undefined for what only the cluster knows. */
  private readonly values: ReadonlyMap<string, string | undefined>;

  constructor(values: Readonly<Record<string, string | undefined>>) {
    this.values = new Map(Object.entries(values));
  }

  /** As Go's `os.Expand`: another name is nothing, and `$$` is `$`. */
  filled(text: string): Filled {
    let unknown: string | undefined;
    const valueOf = (name: string): string => {
      if (name === "$") return "$";
      if (this.values.has(name) && this.values.get(name) === undefined) unknown = name;
      return this.values.get(name) ?? "";
    };
    // After the last brace no name ends: looking for its end at each `${` would take the square of the time.
    const end = text.lastIndexOf("}") + 1;
    const made =
      text
        .slice(0, end)
        .replaceAll(
          /\$(?:\{([^}]*)\}|([A-Za-z_]\w*|[*#$@!?0-9-]))/g,
          (_, inBraces?: string, plain?: string) => valueOf(inBraces ?? plain ?? ""),
        ) +
      text
        .slice(end)
        .replaceAll(/\$(?:\{|([A-Za-z_]\w*|[*#$@!?0-9-]))/g, (_, plain?: string) => valueOf(plain ?? ""));
    return unknown === undefined ? { text: made } : { text: made, unknown };
  }
}
