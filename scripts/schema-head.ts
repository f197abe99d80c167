// What each published schema starts with, and the entries by which SchemaStore finds them.
import manifest from "../package.json" with { type: "json" };

type SchemaFile = "valuefold" | "render" | "repeat" | "explanation" | "comparison";

/** Draft, address and title. @param file its name in `schema/` */
export function schemaHead(file: SchemaFile, title: string): object {
  return { $schema: "https://json-schema.org/draft/2020-12/schema", $id: addressOf(file), title };
}

function addressOf(file: SchemaFile): string {
  return `${manifest.homepage}/raw/main/schema/${file}.schema.json`;
}

/** Entries for SchemaStore's catalog: editors take a file by its name. */
export function schemaCatalog(): string {
  const entries = [
    {
      name: "valuefold settings",
      description: "How valuefold folds layered Helm values",
      fileMatch: [".valuefold.yaml", "valuefold.yaml", "*.valuefold.yaml"],
      url: addressOf("valuefold"),
    },
    {
      name: "valuefold render",
      description: "Directories of layers that valuefold renders",
      fileMatch: ["valuefold-render.yaml", "*.valuefold-render.yaml"],
      url: addressOf("render"),
    },
  ];
  return `${JSON.stringify(entries, null, 2)}\n`;
}
