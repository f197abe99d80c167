// The settings of a command: those that `--config` and `--schema` name, or those of the build's own fold.
import { dirname, isAbsolute, join } from "node:path";
import { defaultSettings, readFunctionConfig, type Settings } from "../settings/index.ts";
import { isKindNamed, judgedKinds } from "../kinds.ts";
import { parseObject } from "../object-id.ts";
import type { FoldInput } from "../core/index.ts";
import type { SchemaRule } from "../schema/index.ts";
import { isThereAsDirectory, readFile, readNamed } from "./disk.ts";
import type { Input } from "./entry.ts";
import { isTarget } from "./names.ts";
import { UsageError } from "./usage-error.ts";

export interface ConfigFlags {
  readonly config?: string;
  readonly schema?: readonly string[];
}

/** What has settings of its own: those of its fold, and of its checkout. */
export type OwnSettingsOf = Pick<Input, "own" | "checkout">;

/** The settings of a question. */
export type Configured = Pick<FoldInput, "config" | "configFile" | "settings">;

/**
 * Reads what `--config` and `--schema` name. A schema is a file, or `Kind/name=FILE`. Without `--config` the settings are those
 * of the build's own fold, and those of its checkout.
 */
export function configuredBy(
  { config, schema = [] }: ConfigFlags,
  { own, checkout }: OwnSettingsOf = {},
): Configured {
  const file = config ?? own?.file;
  const bytes = config === undefined ? own?.text : readNamed(config);
  const rules = schema.map(ruleOf);
  const mayName = /schemas|sops/.test(Buffer.from(bytes ?? []).toString("latin1"));
  const judging = judgingOf(config, checkout);
  if (rules.length === 0 && !mayName && judging === undefined)
    return bytes === undefined || file === undefined ? {} : { config: bytes, configFile: file };
  const outcome = bytes === undefined ? { settings: defaultSettings } : readFunctionConfig(bytes, file);
  if ("faults" in outcome) return { settings: outcome };
  const whole = withJudging(outcome.settings, own !== undefined, judging);
  return withSchemas(
    whole,
    [...namedSchemas(whole, config, file), ...rules],
    config !== undefined || own?.mayOpen,
  );
}

/** @param mayOpen true if what is sealed may be opened */
function withSchemas({ sops, ...settings }: Settings, schemas: SchemaRule[], mayOpen = false): Configured {
  const given = { ...(mayOpen && sops !== undefined && { sops }), ...(schemas.length > 0 && { schemas }) };
  return { settings: { settings: { ...settings, ...given } } };
}

type Judging = NonNullable<OwnSettingsOf["checkout"]>["judging"];

/** `-c` wins. */
function judgingOf(config: string | undefined, checkout: OwnSettingsOf["checkout"]): Judging | undefined {
  return config === undefined ? checkout?.judging : undefined;
}

/** What both check holds. How values merge is up to a build's own fold. */
function withJudging(settings: Settings, isFolded: boolean, judging: Judging | undefined): Settings {
  if (judging === undefined) return settings;
  const { verify, merge, protect = [], schemas = [] } = settings;
  const [protections, rules] = [
    [...protect, ...(judging.protect ?? [])],
    [...schemas, ...(judging.schemas ?? [])],
  ];
  return {
    ...settings,
    merge: isFolded ? merge : judging.merge,
    ...(protections.length > 0 && { protect: protections }),
    ...(rules.length > 0 && { schemas: rules }),
    verify: {
      only: verify.only,
      strict: verify.strict || judging.verify.strict,
      unfolded: verify.unfolded || judging.verify.unfolded,
      lints: { ...judging.verify.lints, ...verify.lints },
    },
  };
}

function namedSchemas(
  { schemas = [] }: Pick<Settings, "schemas">,
  config: string | undefined,
  file = "",
): SchemaRule[] {
  // A checkout's own settings name files of it.
  const read = config === undefined ? readFile : readNamed;
  return schemas.map((rule) => withFile(rule, read, dirname(file)));
}

/** Relative names in a function config start from its own folder. */
function withFile(rule: SchemaRule, read: typeof readFile, folder: string): SchemaRule {
  // Those of a checkout are read.
  if (rule.file === undefined || rule.text !== undefined) return rule;
  const file = isAbsolute(rule.file) ? rule.file : join(folder, rule.file);
  return { ...rule, file, text: read(file) };
}

/** The settings alone, read. */
export function settingsIn({ settings, config, configFile }: Configured): Pick<FoldInput, "settings"> {
  if (settings !== undefined) return { settings };
  return config === undefined ? {} : { settings: readFunctionConfig(config, configFile) };
}

function ruleOf(word: string): SchemaRule {
  const [, before = "", after] = /^([A-Za-z]+\/[^=]*)=(.*)$/.exec(word) ?? [];
  const isOfTarget = /^[A-Z]/.test(before) || isTarget(before);
  const file = isOfTarget ? (after ?? word) : word;
  const targets = isOfTarget ? { targets: selectorsOf(before) } : {};
  if (file === "")
    throw new UsageError(
      `\`--schema ${word}\`: expected a file after \`=\``,
      "write `Kind/name=FILE`: FILE is the schema",
    );
  if (isThereAsDirectory(file))
    throw new UsageError(`\`--schema ${word}\` is a directory`, "name the file in it that is the schema");
  return { file, text: readNamed(file), option: `--schema ${file}`, ...targets };
}

/** A short name may mean several kinds. */
function selectorsOf(text: string): NonNullable<SchemaRule["targets"]> {
  const { kind: word = "", ...named } = parseObject(text);
  const kinds = judgedKinds.filter((kind) => isKindNamed(kind, word));
  if (kinds.length === 0 || named.name === "")
    throw new UsageError(
      `\`--schema ${text}=…\`: expected a target before \`=\``,
      `write \`Kind/name=FILE\` or \`Kind/namespace/name=FILE\`; the kinds are ${judgedKinds.join(", ")}`,
    );
  return kinds.map((kind) => ({ kind, ...named }));
}
