import manifest from "../package.json" with { type: "json" };

export const version: string = manifest.version;

/** Where the pages of `docs/` are read, those of this version. */
export const docs = `${manifest.homepage}/blob/v${version}/docs`;

/** The JSON Schema of the settings, for editors. */
export const settingsSchemaUrl = `${manifest.homepage}/raw/v${version}/schema/valuefold.schema.json`;
