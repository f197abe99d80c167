// What the Chart.yaml of a release says: its version, that of what it installs, and the charts that it depends on.
import type { ChartRelease } from "../../explain/index.ts";
import { asFields, asList, asText, type Fields, plainOfText } from "../plain.ts";

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
  const [name, version, appVersion] = ["name", "version", "appVersion"].map((field) => asText(own[field]));
  return { name: name ?? "", version: version ?? "", appVersion: appVersion ?? "", dependencies };
}

function dependenciesIn(listed: unknown): readonly DescribedDependency[] {
  return asList(listed)
    .map(asFields)
    .map(({ name, version, repository }) => ({
      name: asText(name),
      version: asText(version),
      repository: asText(repository),
    }));
}

function fieldsIn(bytes: Uint8Array = new Uint8Array()): Fields {
  return asFields(plainOfText(bytes));
}
