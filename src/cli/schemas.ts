// Files that hold schemas: those that `--schema` names, and those of a function config on the command line. They are read
// here, as the core and a function read no files.
import { dirname, isAbsolute, join } from "node:path";
import {
  defaultSettings,
  kindNames,
  readFunctionConfig,
  type Request,
  type Settings,
} from "../core/index.ts";
import type { Rule } from "../schema/index.ts";
import { isDirectory, UsageError } from "./build.ts";
import { readFile } from "./stdio.ts";

export type Configured = Pick<Request, "config" | "configFile" | "settings">;

/** @param schemas words behind `--schema`: a file, or `Kind/name=FILE` */
export function configuredBy(config: string | undefined, schemas: readonly string[]): Configured {
  const bytes = config === undefined ? undefined : readFile(config);
  const named = schemas.map(ruleOf);
  const mayName = bytes !== undefined && Buffer.from(bytes).includes("schemas");
  if (named.length === 0 && !mayName)
    return bytes === undefined || config === undefined ? {} : { config: bytes, configFile: config };
  const outcome = bytes === undefined ? { settings: defaultSettings } : readFunctionConfig(bytes, config);
  if ("faults" in outcome) return { settings: outcome };
  const own = (outcome.settings.schemas ?? []).map((rule): Rule => withFile(rule, dirname(config ?? "")));
  const all = [...own, ...named];
  return {
    settings: { settings: all.length === 0 ? outcome.settings : { ...outcome.settings, schemas: all } },
  };
}

/** Names in a function config are seen from where it lies. */
function withFile(rule: Rule, folder: string): Rule {
  if (rule.file === undefined) return rule;
  const file = isAbsolute(rule.file) ? rule.file : join(folder, rule.file);
  return { ...rule, file, text: readFile(file) };
}

function ruleOf(word: string): Rule {
  const [, target, file = word] = /^([A-Z][A-Za-z]*\/[^=]*)=(.*)$/.exec(word) ?? [];
  const targets = target === undefined ? {} : { targets: [selectorOf(target)] };
  if (file === "")
    throw new UsageError(
      `\`--schema ${word}\`: expected a file behind \`=\``,
      "write `Kind/name=FILE`: FILE is the schema",
    );
  if (isDirectory(file))
    throw new UsageError(`\`--schema ${word}\` is a directory`, "name the file in it that is the schema");
  return { file, text: readFile(file), option: `--schema ${file}`, ...targets };
}

function selectorOf(text: string): NonNullable<Settings["targets"]>[number] {
  const [kindName = "", ...names] = text.split("/");
  const kind = kindNames.find((each) => each === kindName);
  const [name = "", namespace] = names.toReversed();
  if (kind === undefined || name === "" || names.length > 2)
    throw new UsageError(
      `\`--schema ${text}=…\`: expected a target before \`=\``,
      `write \`Kind/name=FILE\` or \`Kind/namespace/name=FILE\`; the kinds are ${kindNames.join(", ")}`,
    );
  return { kind, name, ...(namespace === undefined ? {} : { namespace }) };
}
