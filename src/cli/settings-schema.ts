// The JSON Schema of the settings, as the package holds it. A part of its own: only `print schema` needs it.
import schema from "../../schema/valuefold.schema.json" with { type: "json" };

export function settingsSchema(): string {
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}
