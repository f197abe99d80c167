// The modules whose code is in the engine, and Go itself, with their licences: as go tells which packages it links.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Component } from "../scripts/components.ts";
import { goEnvironment, goVersion, home } from "./go.ts";

/** By SPDX. A module that is not here is not taken in before somebody has read its licence. */
const licences: Readonly<Record<string, string>> = {
  "dario.cat/mergo": "BSD-3-Clause",
  "github.com/BurntSushi/toml": "MIT",
  "github.com/Masterminds/goutils": "Apache-2.0",
  "github.com/Masterminds/semver/v3": "MIT",
  "github.com/Masterminds/sprig/v3": "MIT",
  "github.com/blang/semver/v4": "MIT",
  // The package that Helm uses; another one of the module, which is not linked, has MPL-2.0.
  "github.com/cyphar/filepath-securejoin": "BSD-3-Clause",
  "github.com/davecgh/go-spew": "ISC",
  "github.com/fluxcd/pkg/envsubst": "Apache-2.0 AND MIT",
  "github.com/go-errors/errors": "MIT",
  "github.com/go-openapi/jsonpointer": "Apache-2.0",
  "github.com/go-openapi/jsonreference": "Apache-2.0",
  "github.com/go-openapi/swag": "Apache-2.0",
  "github.com/gobwas/glob": "MIT",
  "github.com/google/uuid": "BSD-3-Clause",
  "github.com/huandu/xstrings": "MIT",
  "github.com/mitchellh/copystructure": "MIT",
  "github.com/mitchellh/reflectwalk": "MIT",
  "github.com/monochromegane/go-gitignore": "MIT",
  "github.com/pkg/errors": "BSD-2-Clause",
  "github.com/santhosh-tekuri/jsonschema/v6": "Apache-2.0",
  "github.com/shopspring/decimal": "MIT",
  "github.com/spf13/cast": "MIT",
  "github.com/xlab/treeprint": "MIT",
  "go.yaml.in/yaml/v2": "Apache-2.0 AND MIT",
  "go.yaml.in/yaml/v3": "MIT AND Apache-2.0",
  "golang.org/x/crypto": "BSD-3-Clause",
  "golang.org/x/text": "BSD-3-Clause",
  "gopkg.in/evanphx/json-patch.v4": "BSD-3-Clause",
  "helm.sh/helm/v3": "Apache-2.0",
  "helm.sh/helm/v4": "Apache-2.0",
  "k8s.io/apimachinery": "Apache-2.0",
  "k8s.io/kube-openapi": "Apache-2.0",
  "sigs.k8s.io/json": "Apache-2.0 AND BSD-3-Clause",
  "sigs.k8s.io/kustomize/api": "Apache-2.0",
  "sigs.k8s.io/kustomize/kyaml": "Apache-2.0",
  "sigs.k8s.io/yaml": "MIT AND BSD-3-Clause AND Apache-2.0",
};

export function componentsOf(): Component[] {
  const modules = new Set(
    go(
      "list",
      "-deps",
      "-f",
      "{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}{{end}}",
      ".",
    )
      .split("\n")
      .filter((line) => line !== ""),
  );
  return [standardLibrary(), ...[...modules].toSorted().map(moduleOf)];
}

function standardLibrary(): Component {
  const version = goVersion().replace(/^go/, "");
  const licenceText = textIn(go("env", "GOROOT").trim());
  return { name: "go", version, licence: "BSD-3-Clause", licenceText, purl: `pkg:golang/std@${version}` };
}

function moduleOf(line: string): Component {
  const [name = "", version = "", folder = ""] = line.split("\t");
  const licence = licences[name];
  if (licence === undefined) throw new Error(`${name}: its licence is not known here`);
  const purl = `pkg:golang/${name.toLowerCase()}@${version}`;
  return { name, version: version.replace(/^v/, ""), licence, licenceText: textIn(folder), purl };
}

function textIn(folder: string): string {
  const file = readdirSync(folder).find((each) => /^(?:licen[cs]e|copying)/i.test(each));
  if (file === undefined) throw new Error(`${folder}: no licence`);
  return readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n").trim();
}

function go(...args: readonly string[]): string {
  return execFileSync("go", args, {
    cwd: home,
    env: { ...goEnvironment(), GOOS: "wasip1", GOARCH: "wasm" },
    encoding: "utf8",
  });
}
