// The engine of Go templates, loaded by the first template that needs it.
import { type IncludingBatch, type Rendered, renderTemplates } from "../render/index.ts";

export function templates(batch: IncludingBatch): Promise<readonly Rendered[]> {
  return renderTemplates(batch);
}
