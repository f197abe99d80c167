// The settings as a type for users of the library, from their schema: shipped types need no other package to be read.
import { stringify } from "yaml";
import { jsonSchema } from "./schema-source.ts";

/** As much of JSON Schema as the settings have. */
interface Shape {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Shape[];
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: Shape | false;
  readonly required?: readonly string[];
  readonly description?: string;
  readonly examples?: readonly unknown[];
}

export function settingsType(): string {
  const whole = JSON.parse(jsonSchema()) as Shape;
  const spec = whole.properties?.["spec"];
  if (spec === undefined) throw new Error("the schema has no settings");
  // Only a file of a checkout has it.
  const { checkout: _, ...properties } = spec.properties ?? {};
  return `// Made by \`npm run schema\` from src/settings/settings.ts.

/** What is written under \`spec\` in a function config; docs/settings.md says what each setting means. */
export interface SettingsInput ${typeOf({ ...spec, properties }, [])}

export type TargetSelector = NonNullable<SettingsInput["targets"]>[number];
`;
}

/** @param path the keys of the settings down to the shape */
function typeOf(shape: Shape, path: readonly string[]): string {
  if (shape.enum !== undefined) return shape.enum.map((each) => JSON.stringify(each)).join(" | ");
  if (shape.const !== undefined) return JSON.stringify(shape.const);
  if (shape.anyOf !== undefined) return shape.anyOf.map((each) => typeOf(each, path)).join(" | ");
  if (shape.items !== undefined) return `(${typeOf(shape.items, path)})[]`;
  if (shape.properties !== undefined) return mappingOf(shape, path);
  if (shape.additionalProperties) return `{ [key: string]: ${typeOf(shape.additionalProperties, path)} }`;
  const plain = { string: "string", integer: "number", boolean: "boolean", object: "object" } as const;
  const found = plain[shape.type as keyof typeof plain];
  if (found === undefined) throw new Error(`no type for ${JSON.stringify(shape)}`);
  return found;
}

function mappingOf({ properties = {}, required = [] }: Shape, path: readonly string[]): string {
  const members = Object.entries(properties).map(([key, inner]) => {
    const own = [...path, key];
    const isRequired = required.includes(key);
    return `${noteOf(inner, own)}${JSON.stringify(key)}${isRequired ? "" : "?"}: ${typeOf(inner, own)}${isRequired ? "" : " | undefined"};\n`;
  });
  return `{\n${members.join("")}}`;
}

/** The description, and the examples as they are written under `spec`. */
function noteOf({ description, examples = [] }: Shape, path: readonly string[]): string {
  if (description === undefined) return "";
  if (examples.length === 0) return `/** ${description} */\n`;
  const texts = examples.map((example) =>
    stringify(path.reduceRight((value, key) => ({ [key]: value }), example)),
  );
  const lines = [
    description,
    "",
    ...texts.flatMap((text) => ["```yaml", ...text.trimEnd().split("\n"), "```"]),
  ];
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join("\n")}\n */\n`;
}
