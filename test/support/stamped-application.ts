// Random Applications of Argo CD with all files that they read. Each value is the file and the line where it stands, so that
// what Argo CD and Helm compute says which origin is right.
export interface StampedApplication {
  /** By their paths; the Application is `apps/app.yaml`. */
  readonly files: ReadonlyMap<string, string>;
}

type Random = () => number;

const keys = ["a", "b", "c", "d.e", "f"];

/** Lines of one file: `stamp()` is the place of the line that is written next. */
class Writer {
  private readonly lines: string[] = [];
  readonly file: string;

  constructor(file: string) {
    this.file = file;
  }

  stamp(): string {
    return `${this.file}#${this.lines.length + 1}`;
  }

  add(line: string): void {
    this.lines.push(line);
  }

  text(): string {
    return `${this.lines.join("\n")}\n`;
  }
}

class Generator {
  readonly files = new Map<string, string>();
  private readonly random: Random;

  constructor(random: Random) {
    this.random = random;
  }

  below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  pick<T>(among: readonly T[]): T {
    return among[this.below(among.length)] as T;
  }

  chance(of: number): boolean {
    return this.random() < of;
  }

  /** A mapping of stamps. @param isText true where lines are those of a text in another document */
  mapping(to: Writer, indent: string, depth: number): void {
    const own = keys.filter(() => this.chance(0.6));
    for (const key of own.length === 0 ? ["a"] : own) this.entry(to, indent, key, depth);
  }

  private entry(to: Writer, indent: string, key: string, depth: number): void {
    const head = `${indent}${this.chance(0.2) ? JSON.stringify(key) : key}:`;
    const kind = this.below(10);
    if (kind < 4 && depth > 0) {
      to.add(head);
      this.mapping(to, `${indent}  `, depth - 1);
    } else if (kind === 4) {
      to.add(head);
      for (let count = 1 + this.below(3); count > 0; count--) to.add(`${indent}  - ${to.stamp()}`);
    } else if (kind === 5) to.add(`${head} [${to.stamp()}, {x: ${JSON.stringify(to.stamp())}}]`);
    else if (kind === 6 && this.chance(0.4)) to.add(`${head} null`);
    else to.add(`${head} ${this.chance(0.3) ? JSON.stringify(to.stamp()) : to.stamp()}`);
  }

  valuesFile(path: string): void {
    const to = new Writer(path);
    if (this.chance(0.2)) to.add("# first");
    this.mapping(to, "", 2);
    this.files.set(path, to.text());
  }
}

const charts = "charts/shop";
const url = "https://git.example/org/repo.git";

export function stampedApplication(random: Random): StampedApplication {
  const made = new Generator(random);
  made.files.set(`${charts}/Chart.yaml`, "apiVersion: v2\nname: shop\nversion: 1.0.0\n");
  if (made.chance(0.7)) made.valuesFile(`${charts}/values.yaml`);
  const own = ["values-prod.yaml", "values-eu.yaml", "envs/a.yaml", "envs/b.yaml", "envs/deep/c.yaml"];
  for (const name of own) if (made.chance(0.7)) made.valuesFile(`${charts}/${name}`);
  for (const name of ["base.yaml", "prod/shop.yaml", "prod/x[1].yaml", "shop-app.yaml"])
    if (made.chance(0.7)) made.valuesFile(`values/${name}`);
  made.files.set("values/note.txt", "values/note.txt#1");
  // With two of them Argo CD 3.5 mixes fields of elements that no file has together.
  if (made.chance(0.5))
    overrideFile(made, made.pick([".argocd-source.yaml", ".argocd-source-shop-app.yaml"]));
  application(made);
  return { files: made.files };
}

function overrideFile(made: Generator, name: string): void {
  const to = new Writer(`${charts}/${name}`);
  to.add("helm:");
  parameters(made, to, "  ");
  if (made.chance(0.3)) inline(made, to, "  ");
  made.files.set(to.file, to.text());
}

function application(made: Generator): void {
  const to = new Writer("apps/app.yaml");
  for (const line of [
    "apiVersion: argoproj.io/v1alpha1",
    "kind: Application",
    "metadata:",
    "  name: shop-app",
    "  namespace: argocd",
    "spec:",
  ])
    to.add(line);
  to.add("  destination: {namespace: shop, server: https://kubernetes.default.svc}");
  const hasSeveral = made.chance(0.5);
  if (hasSeveral) {
    to.add("  sources:");
    to.add(`    - {repoURL: ${url}, targetRevision: HEAD, ref: vals}`);
    to.add(`    - repoURL: ${url}`);
  } else {
    to.add("  source:");
    to.add(`    repoURL: ${url}`);
  }
  const indent = hasSeveral ? "      " : "    ";
  to.add(`${indent}path: ${charts}`);
  to.add(`${indent}targetRevision: HEAD`);
  if (made.chance(0.9)) {
    to.add(`${indent}helm:`);
    to.add(`${indent}  releaseName: shop`);
    if (made.chance(0.85)) valueFiles(made, to, `${indent}  `, hasSeveral);
    if (made.chance(0.7)) to.add(`${indent}  ignoreMissingValueFiles: true`);
    if (made.chance(0.6)) inline(made, to, `${indent}  `);
    if (made.chance(0.6)) parameters(made, to, `${indent}  `);
    if (made.chance(0.2)) {
      to.add(`${indent}  fileParameters:`);
      to.add(`${indent}    - {name: ${made.pick(["a", "note", "b.note"])}, path: ../../values/note.txt}`);
    }
  }
  made.files.set(to.file, to.text());
}

function valueFiles(made: Generator, to: Writer, indent: string, hasRef: boolean): void {
  const relative = [
    "values-prod.yaml",
    "values-eu.yaml",
    "envs/a.yaml",
    "envs/*.yaml",
    "envs/**/*.yaml",
    "./envs/b.yaml",
    "../../values/base.yaml",
    "envs/[ab].yaml",
    "envs/{a,b}*.yaml",
  ];
  const absolute = [
    "/values/base.yaml",
    "/values/prod/*.yaml",
    "/values/$ARGOCD_APP_NAME.yaml",
    "/values/${ARGOCD_APP_NAMESPACE}d.yaml",
  ];
  const referenced = hasRef
    ? [
        "$vals/values/base.yaml",
        "$vals/values/prod/shop.yaml",
        "$vals/values/*.yaml",
        "$vals/values/${ARGOCD_APP_NAME}.yaml",
      ]
    : [];
  to.add(`${indent}valueFiles:`);
  for (let count = 1 + made.below(5); count > 0; count--)
    to.add(`${indent}  - ${JSON.stringify(made.pick([...relative, ...absolute, ...referenced]))}`);
}

function inline(made: Generator, to: Writer, indent: string): void {
  if (made.chance(0.6)) {
    to.add(`${indent}valuesObject:`);
    made.mapping(to, `${indent}  `, 2);
  }
  if (made.chance(0.5)) {
    to.add(`${indent}values: |${made.pick(["", "-", "+"])}`);
    made.mapping(to, `${indent}  `, 2);
  }
}

const names = [
  "a",
  "b",
  "c",
  "f",
  "g.h",
  "g.i",
  "d\\.e",
  "list[0]",
  "list[2]",
  "a[0]",
  "a.x",
  "m.n[1].o",
  "b[0][1]",
];

function parameters(made: Generator, to: Writer, indent: string): void {
  to.add(`${indent}parameters:`);
  const own = new Set(Array.from({ length: 1 + made.below(3) }, () => made.pick(names)));
  for (const name of own) {
    // Values of parameters that set the same are given in any order.
    if ([...own].some((other) => other !== name && (other.startsWith(name) || name.startsWith(other))))
      continue;
    to.add(`${indent}  - name: ${JSON.stringify(name)}`);
    const stamp = (): string => to.stamp();
    const value = made.pick<() => string>([
      stamp,
      stamp,
      () => `{${stamp()},${stamp()}}`,
      () => `${stamp()},x`,
      () => "true",
      () => "null",
      () => "12",
      () => "012",
      () => "$ARGOCD_APP_NAME/$$x",
      () => "",
    ]);
    to.add(`${indent}    value: ${JSON.stringify(value())}`);
    if (made.chance(0.3)) to.add(`${indent}    forceString: true`);
  }
}
