// The engine of Go templates, loaded by the first template that needs it.
import type { IncludingBatch } from "../render/need.ts";
import type { Rendered } from "../render/template-need.ts";

export async function templates(batch: IncludingBatch): Promise<readonly Rendered[]> {
  return batch.templates.map(({ file }) => ({ fault: { what: "failed", file } }));
}
