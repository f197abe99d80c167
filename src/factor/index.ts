// The door of `factor`: copied values files → a base and small layers.
export { type Factored, type FactorOptions, factor, type FactorRequest, type Source } from "./factor.ts";
