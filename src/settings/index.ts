// The door of settings.
export { type CheckoutSettings } from "./checkout.ts";
export { checkoutFile, defaultSettings, ownApiVersion, setsNothing } from "./defaults.ts";
export {
  type CheckoutOutcome,
  type ConfigOutcome,
  parseFunctionConfig,
  readCheckoutSettings,
  readFunctionConfig,
  readSettings,
} from "./function-config.ts";
export { fieldBelow, type WrongField, wrongFields } from "./issues.ts";
export { Labels } from "./labels.ts";
export { lintCodes } from "./lint-codes.ts";
export type { FieldStep } from "./places.ts";
export { Settings } from "./settings.ts";
export { saidTwice, twiceFaults, writtenTwice } from "./written-twice.ts";
