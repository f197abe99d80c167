// The door of `factor`: copied values files → a base and small layers, proven.
export { factor, type Factored, type FactorRequest, type FactoredFile } from "./factor.ts";
export { listKeyIn, misfits } from "./given-keys.ts";
export { kustomizeOutputs } from "./kustomize.ts";
export { type BuiltObjects, type SharedObject, sharedObjects } from "./objects.ts";
export { isOwnName, type OutputFile, outputsOf } from "./outputs.ts";
export { formatOf } from "./prove.ts";
export { reportOf } from "./report.ts";
export { variantsOf } from "./variants.ts";
