// The door of settings.
export { defaultSettings, ownApiVersion, setsNothing } from "./defaults.ts";
export {
  type ConfigOutcome,
  parseFunctionConfig,
  readFunctionConfig,
  readSettings,
} from "./function-config.ts";
export { type WrongField, wrongFields } from "./issues.ts";
export { Labels } from "./labels.ts";
export { Settings } from "./settings.ts";
export { saidTwice, twiceFaults, writtenTwice } from "./written-twice.ts";
