// Arguments of the library's functions as they came: a caller in JavaScript has no compiler that would refuse them. What is
// wrong with one is a TypeError; what is wrong with an input or a setting is among the diagnostics.
import { statSync } from "node:fs";
import { types } from "node:util";
import type { Explanation } from "./explanation.ts";
import type { ExplainedBuild, ExplainRequest, FilesRequest, FoldRequest, VerifyRequest } from "./public.ts";

type Request = FoldRequest & Partial<ExplainRequest> & Partial<VerifyRequest>;

export function checkRequest(request: unknown): asserts request is Request {
  const given = mappingIn("request", request);
  if (!isText(given["input"])) throw wrong("input", "text or bytes", given["input"]);
  for (const name of ["config", "previous"])
    if (given[name] !== undefined && !isText(given[name])) throw wrong(name, "text or bytes", given[name]);
  const { form } = given;
  if (form !== undefined && form !== "stream" && form !== "resource-list")
    throw new TypeError('valuefold: `form`: expected "stream" or "resource-list"');
  for (const [name, type] of optional)
    if (given[name] !== undefined && typeof given[name] !== type) throw wrong(name, type, given[name]);
}

const optional = [
  ["target", "string"],
  ["path", "string"],
  ["strict", "boolean"],
  ["unfolded", "boolean"],
] as const;

export function checkFiles(request: unknown): asserts request is FilesRequest {
  const given = mappingIn("request", request);
  const { files, config, path, json } = given;
  if (!Array.isArray(files)) throw wrong("files", "a list", files);
  const names = new Set<string>();
  for (const each of files as unknown[]) {
    const { name, text } = mappingIn("files[]", each);
    if (typeof name !== "string") throw wrong("files[].name", "string", name);
    if (!isText(text)) throw wrong("files[].text", "text or bytes", text);
    if (names.has(name)) throw new TypeError(`valuefold: \`files\`: \`${name}\` is named twice`);
    names.add(name);
  }
  if (config !== undefined && !isText(config)) throw wrong("config", "text or bytes", config);
  if (path !== undefined && typeof path !== "string") throw wrong("path", "string", path);
  if (json !== undefined && typeof json !== "boolean") throw wrong("json", "boolean", json);
}

export function checkBuilds(builds: unknown): asserts builds is readonly ExplainedBuild[] {
  if (!Array.isArray(builds)) throw wrong("builds", "a list", builds);
  for (const each of builds as unknown[]) {
    const { name, explanation } = mappingIn("builds[]", each);
    if (typeof name !== "string") throw wrong("builds[].name", "string", name);
    checkExplanation("builds[].explanation", explanation);
  }
}

export function checkOptions(options: unknown): asserts options is { readonly env?: object } {
  const { env } = mappingIn("options", options);
  if (env !== undefined) mappingIn("env", env);
}

export function checkEntries(
  directory: unknown,
  options: unknown,
): asserts options is { readonly env?: object } {
  if (typeof directory !== "string") throw wrong("directory", "string", directory);
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new TypeError(`valuefold: \`directory\`: \`${directory}\` is no directory`);
  const { clusters, repositories } = mappingIn("options", options);
  if (repositories !== undefined) mappingIn("repositories", repositories);
  if (clusters !== undefined && typeof clusters !== "string") throw wrong("clusters", "string", clusters);
  checkOptions(options);
}

export function checkExplanation(name: string, given: unknown): asserts given is Explanation {
  const { kind, version, targets } = mappingIn(name, given);
  if (kind !== "Explanation" || version !== 1 || !Array.isArray(targets))
    throw new TypeError(
      `valuefold: \`${name}\`: expected an explanation of version 1, as \`explain\` gives it`,
    );
}

function mappingIn(name: string, given: unknown): Readonly<Record<string, unknown>> {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw wrong(name, "an object", given);
  return given as Readonly<Record<string, unknown>>;
}

function isText(given: unknown): boolean {
  return typeof given === "string" || types.isUint8Array(given);
}

function wrong(name: string, expected: string, given: unknown): TypeError {
  const got = given === null ? "null" : Array.isArray(given) ? "a list" : typeof given;
  return new TypeError(`valuefold: \`${name}\`: expected ${expected}, got ${got}`);
}
