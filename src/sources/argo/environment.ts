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
    const made = text.replaceAll(
      /\$(?:\{([^}]*)\}|([A-Za-z_]\w*|[*#$@!?0-9-]))|\$\{/g,
      (_, inBraces: string | undefined, plain: string | undefined) => {
        const name = inBraces ?? plain;
        if (name === undefined || name === "$") return name === undefined ? "" : "$";
        if (this.values.has(name) && this.values.get(name) === undefined) unknown = name;
        return this.values.get(name) ?? "";
      },
    );
    return unknown === undefined ? { text: made } : { text: made, unknown };
  }
}
