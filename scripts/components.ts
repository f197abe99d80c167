// What bundles hold of other packages: their names, versions and licences, read off the bundler's own account.
import { readdirSync, readFileSync } from "node:fs";
import type { Metafile } from "esbuild";

export interface Component {
  readonly name: string;
  readonly version: string;
  /** As SPDX spells it. */
  readonly licence: string;
  readonly licenceText: string;
  /** By which scanners know it. */
  readonly purl: string;
}

/** All packages whose code is in a bundle, by name. Throws if one has no licence. */
export function componentsOf(bundles: readonly Metafile[]): Component[] {
  const names = new Set(
    bundles.flatMap(({ inputs }) =>
      Object.keys(inputs).flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []),
    ),
  );
  return [...names].toSorted().map(componentOf);
}

function componentOf(name: string): Component {
  const folder = `node_modules/${name}`;
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  const manifest = JSON.parse(readFileSync(`${folder}/package.json`, "utf8")) as {
    version: string;
    license?: string;
  };
  if (file === undefined || manifest.license === undefined) throw new Error(`${name}: no licence`);
  const licenceText = readFileSync(`${folder}/${file}`, "utf8").trim();
  const { version, license: licence } = manifest;
  return { name, version, licence, licenceText, purl: `pkg:npm/${name.replace("@", "%40")}@${version}` };
}

/** The licence texts of all of them. */
export function licencesOf(components: readonly Component[]): string {
  const texts = components.map(({ name, licenceText }) => `${name}\n\n${licenceText}\n`);
  return texts.join(`\n${"-".repeat(80)}\n\n`);
}
