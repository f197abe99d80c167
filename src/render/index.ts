// The door of renders: directories of layers → a ConfigMap and a Secret per app.
export { renderKindOf } from "./kinds.ts";
export type {
  FileAnswer,
  FileRefusal,
  FileRequest,
  ListAnswer,
  ListRequest,
  OddEntry,
  RenderNeed,
  RenderSteps,
  RenderSupply,
} from "./need.ts";
export { renderList, renderStream } from "./run.ts";
