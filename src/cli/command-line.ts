// What the user typed → what is asked for. Knows nothing of files or streams.
import { parseArgs } from "node:util";

export type Invocation =
  | { readonly command: "help" | "version" }
  | {
      readonly command: "fold";
      readonly files: readonly string[];
      readonly config: string | undefined;
      readonly previous: string | undefined;
    }
  | {
      readonly command: "verify";
      readonly files: readonly string[];
      readonly strict: boolean;
      readonly config: string | undefined;
    }
  | { readonly command: "misused"; readonly message: string };

export const helpText = `valuefold folds layered values, held in ConfigMaps and Secrets, into one document per app.

usage:
  valuefold                         KRM function: ResourceList on stdin, ResourceList on stdout
  valuefold fold [FILE...|-]        the same on a plain multi-document YAML stream
  valuefold verify [FILE...|-]      for CI: fails on layers left unfolded and on dangling folded names
  valuefold --help | --version

options of fold and verify:
  -c, --config FILE                 function config (kind ValueFold, or a ConfigMap)
options of fold:
  --previous FILE                   an earlier output: sealed Secrets keep their bytes where nothing changed
options of verify:
  --strict                          fails on any reference that is not in the list

exit status: 0 ok, 1 faults (see stderr), 2 a bug, 3 invalid function config

Targets: App, HelmRelease, ConfigMap, Secret; Kyma overrides if the setting \`targets\` names them. A layer
is a ConfigMap or Secret that a target references, or that says so itself:
  valuefold.dev/into: KIND/NAME     which target (Kind/[namespace/]name, several by commas, * for any)
  valuefold.dev/priority: "75"      default: App 25, HelmRelease 75, ConfigMap and Secret 50
  valuefold.dev/key: values         which data key, if there are several
  valuefold.dev/format: yaml        yaml, json or text: how data keys of a ConfigMap or Secret merge
  valuefold.dev/keep: "true"        keep the layer as it is after folding
and of a target: valuefold.dev/fold: "false" leaves it alone
`;

export function parseCommandLine(args: readonly string[]): Invocation {
  try {
    return interpret(args);
  } catch (error) {
    return { command: "misused", message: error instanceof Error ? error.message : "bad usage" };
  }
}

function interpret(args: readonly string[]): Invocation {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      help: { type: "boolean", short: "h" },
      version: { type: "boolean" },
      strict: { type: "boolean" },
      config: { type: "string", short: "c" },
      previous: { type: "string" },
    },
  });
  if (values.help === true) return { command: "help" };
  if (values.version === true) return { command: "version" };
  const [command, ...files] = positionals;
  if (command === "fold" && values.strict === true)
    return { command: "misused", message: "`--strict` is an option of `verify`" };
  const { config, previous } = values;
  if (command === "fold") return { command, files, config, previous };
  if (previous !== undefined) return { command: "misused", message: "`--previous` is an option of `fold`" };
  if (command === "verify") return { command, files, strict: values.strict === true, config };
  return {
    command: "misused",
    message: command === undefined ? "expected a command" : `unknown command \`${command}\``,
  };
}
