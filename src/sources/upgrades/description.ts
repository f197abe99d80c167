// What the Chart.yaml of a release says: its version, that of what it installs, and the charts that it depends on.
import { isFault, Node, readDocument } from "../../yaml/index.ts";
import type { ChartRelease } from "../../explain/index.ts";

export interface ChartDescription {
  readonly name: string;
  readonly version: string;
  readonly appVersion: string;
  readonly dependencies: readonly DescribedDependency[];
}

export interface DescribedDependency {
  readonly name: string;
  readonly version: string;
  readonly repository: string;
}

export function descriptionOf(release: ChartRelease): ChartDescription {
  const files = release.files();
  const own = fieldsIn(files.get("Chart.yaml")?.bytes);
  const listed = own["dependencies"] ?? fieldsIn(files.get("requirements.yaml")?.bytes)["dependencies"];
  const lock = files.get("Chart.lock") ?? files.get("requirements.lock");
  const locked = dependenciesIn(fieldsIn(lock?.bytes)["dependencies"]);
  const dependencies = dependenciesIn(listed).map((each) => {
    const same = locked.find(({ name, repository }) => name === each.name && repository === each.repository);
    return { ...each, version: same?.version ?? each.version };
  });
  const [name, version, appVersion] = ["name", "version", "appVersion"].map((field) => textOf(own[field]));
  return { name: name ?? "", version: version ?? "", appVersion: appVersion ?? "", dependencies };
}

function dependenciesIn(listed: unknown): readonly DescribedDependency[] {
  return (Array.isArray(listed) ? listed : []).map((each: unknown) => {
    const fields = fieldsOf(each);
    return {
      name: textOf(fields["name"]),
      version: textOf(fields["version"]),
      repository: textOf(fields["repository"]),
    };
  });
}

function fieldsIn(bytes: Uint8Array | undefined): Readonly<Record<string, unknown>> {
  const doc = bytes && readDocument(bytes);
  return doc === undefined || isFault(doc) ? {} : fieldsOf(new Node(doc).plain(null));
}

function fieldsOf(plain: unknown): Readonly<Record<string, unknown>> {
  return typeof plain === "object" && plain !== null && !Array.isArray(plain) ? { ...plain } : {};
}

function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
