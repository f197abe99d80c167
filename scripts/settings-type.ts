// The settings as a type for users of the library, from their schema: shipped types need no other package to be read.
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
}

export function settingsType(): string {
  const whole = JSON.parse(jsonSchema()) as Shape;
  const spec = whole.properties?.["spec"];
  if (spec === undefined) throw new Error("the schema has no settings");
  return `// Made by \`npm run schema\` from src/core/config/settings.ts.

/** What is written under \`spec\` in a function config; docs/settings.md says what each setting means. */
export interface SettingsInput ${typeOf(spec)}

export type TargetSelector = NonNullable<SettingsInput["targets"]>[number];
`;
}

function typeOf(shape: Shape): string {
  if (shape.enum !== undefined) return shape.enum.map((each) => JSON.stringify(each)).join(" | ");
  if (shape.const !== undefined) return JSON.stringify(shape.const);
  if (shape.anyOf !== undefined) return shape.anyOf.map(typeOf).join(" | ");
  if (shape.items !== undefined) return `(${typeOf(shape.items)})[]`;
  if (shape.properties !== undefined) return mappingOf(shape);
  if (shape.additionalProperties) return `{ [key: string]: ${typeOf(shape.additionalProperties)} }`;
  const plain = { string: "string", integer: "number", boolean: "boolean", object: "object" } as const;
  const found = plain[shape.type as keyof typeof plain];
  if (found === undefined) throw new Error(`no type for ${JSON.stringify(shape)}`);
  return found;
}

function mappingOf({ properties = {}, required = [] }: Shape): string {
  const members = Object.entries(properties).map(([key, inner]) => {
    const note = inner.description === undefined ? "" : `/** ${inner.description} */\n`;
    const isRequired = required.includes(key);
    return `${note}${JSON.stringify(key)}${isRequired ? "" : "?"}: ${typeOf(inner)}${isRequired ? "" : " | undefined"};\n`;
  });
  return `{\n${members.join("")}}`;
}
