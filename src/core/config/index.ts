// What other wings take of `config/`.
export { defaultSettings } from "./defaults.ts";
export { readFunctionConfig, readSettings } from "./function-config.ts";
export { type WrongField, wrongFields } from "./issues.ts";
export { Labels } from "./labels.ts";
export { Settings } from "./settings.ts";
export { saidTwice, twiceFaults, writtenTwice } from "./written-twice.ts";
