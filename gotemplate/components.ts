// The modules whose code is in the engine, and Go itself, with their licences: as go tells which packages it links.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Component } from "../scripts/components.ts";
import { goEnvironment, goVersion, home } from "./compile.ts";

/** By SPDX. A module that is not here is not taken in before somebody has read its licence. */
const licences: Readonly<Record<string, string>> = {
  "dario.cat/mergo": "BSD-3-Clause",
  "github.com/Masterminds/goutils": "Apache-2.0",
  "github.com/Masterminds/semver/v3": "MIT",
  "github.com/Masterminds/sprig/v3": "MIT",
  "github.com/google/uuid": "BSD-3-Clause",
  "github.com/huandu/xstrings": "MIT",
  "github.com/mitchellh/copystructure": "MIT",
  "github.com/mitchellh/reflectwalk": "MIT",
  "github.com/shopspring/decimal": "MIT",
  "github.com/spf13/cast": "MIT",
  "go.yaml.in/yaml/v2": "Apache-2.0 AND MIT",
  "golang.org/x/crypto": "BSD-3-Clause",
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
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  if (file === undefined) throw new Error(`${folder}: no licence`);
  return readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n").trim();
}

function go(...args: readonly string[]): string {
  return execFileSync("go", args, { cwd: home, env: goEnvironment(), encoding: "utf8" });
}
