// What an archive is made of, as SPDX 2.3 in JSON: the packages whose code the bundler took, the runtime, the libraries.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import type { Library } from "./libraries.ts";

const root = new URL("../", import.meta.url);

export interface Archive {
  readonly file: string;
  readonly sha256: string;
  readonly version: string;
  readonly libraries: readonly Library[];
  /** The runtime's version, if there is one in it. */
  readonly runtime?: string;
}

/** The bundled packages, and the modules of the template engine: written by the build, from what bundler and linker tell. */
function bundled(): Library[] {
  return JSON.parse(readFileSync(new URL("dist/components.json", root), "utf8")) as Library[];
}

export function billOfMaterials({ file, sha256, version, libraries, runtime }: Archive): string {
  const engine = {
    name: "bun",
    version: runtime ?? "",
    licence: "MIT AND LGPL-2.0-or-later AND LGPL-2.1-or-later",
    purl: `pkg:github/oven-sh/bun@bun-v${runtime}`,
  };
  const parts = [...bundled(), ...(runtime === undefined ? [] : [engine]), ...libraries].map(described);
  const whole = {
    ...described({ name: "valuefold", version, licence: "Apache-2.0", purl: `pkg:npm/valuefold@${version}` }),
    packageFileName: file,
    checksums: [{ algorithm: "SHA256", checksumValue: sha256 }],
  };
  const document = {
    spdxVersion: "SPDX-2.3",
    dataLicense: "CC0-1.0",
    SPDXID: "SPDXRef-DOCUMENT",
    name: file,
    documentNamespace: `https://valuefold.dev/spdx/${file}-${sha256}`,
    creationInfo: { created: sourceTime(), creators: ["Tool: valuefold-packaging"] },
    packages: [whole, ...parts],
    relationships: [
      related("SPDXRef-DOCUMENT", "DESCRIBES", whole.SPDXID),
      ...parts.map(({ SPDXID }) => related(whole.SPDXID, "CONTAINS", SPDXID)),
    ],
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

function described({ name, version, licence, purl }: Library) {
  return {
    name,
    SPDXID: `SPDXRef-${`${name}-${version}`.replaceAll(/[^A-Za-z0-9.-]+/g, "-")}`,
    versionInfo: version,
    downloadLocation: "NOASSERTION",
    filesAnalyzed: false,
    licenseConcluded: licence,
    licenseDeclared: licence,
    copyrightText: "NOASSERTION",
    ...(purl === undefined
      ? {}
      : {
          externalRefs: [
            { referenceCategory: "PACKAGE-MANAGER", referenceType: "purl", referenceLocator: purl },
          ],
        }),
  };
}

function related(spdxElementId: string, relationshipType: string, relatedSpdxElement: string) {
  return { spdxElementId, relationshipType, relatedSpdxElement };
}

/** When the sources were made, not when they were built: that would change the bytes. */
function sourceTime(): string {
  const { SOURCE_DATE_EPOCH: told = "" } = process.env;
  const seconds = told === "" ? execFileSync("git", ["log", "-1", "--format=%ct"], { cwd: root }) : told;
  return new Date(Number(seconds.toString()) * 1000).toISOString().replace(/\.\d+Z$/, "Z");
}
