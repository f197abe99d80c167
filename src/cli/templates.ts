// The engine of Go templates, loaded by the first template that needs it.
import { renderTemplates } from "../render/go-template/engine.ts";
import type { IncludingBatch } from "../render/need.ts";
import type { Rendered } from "../render/template-need.ts";

export function templates(batch: IncludingBatch): Promise<readonly Rendered[]> {
  return renderTemplates(batch);
}
