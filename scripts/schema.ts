// Settings → the JSON Schema for editors, function.yaml and kpt's metadata.yaml; commands and flags → the lists in
// docs/command-line.md and docs/faults.md. Run after a change of settings, flags or codes; a test compares.
import { readFileSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { withFaults, withTables } from "./docs-tables.ts";
import { comparisonSchema, explanationSchema } from "./explanation-source.ts";
import { nameReference } from "../src/cli/printed.ts";
import { schemaCatalog } from "./schema-head.ts";
import { settingsType } from "./settings-type.ts";
import { functionDefinition, jsonSchema, kptMetadata, renderSchema, repeatSchema } from "./schema-source.ts";

writeFileSync("schema/valuefold.schema.json", jsonSchema());
writeFileSync("schema/explanation.schema.json", explanationSchema());
writeFileSync("schema/comparison.schema.json", comparisonSchema());
writeFileSync("schema/render.schema.json", renderSchema());
writeFileSync("schema/repeat.schema.json", repeatSchema());
writeFileSync("schema/catalog.json", schemaCatalog());
writeFileSync("function.yaml", functionDefinition());
writeFileSync("metadata.yaml", kptMetadata());
writeFileSync("config/name-reference.yaml", nameReference);
writeFileSync("docs/command-line.md", withTables(readFileSync("docs/command-line.md", "utf8")));
writeFileSync("docs/faults.md", withFaults(readFileSync("docs/faults.md", "utf8")));
writeFileSync("src/settings-input.ts", settingsType());
execFileSync(process.execPath, ["node_modules/oxfmt/bin/oxfmt", "src/settings-input.ts"]);
