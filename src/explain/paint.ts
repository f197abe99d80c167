// Colours for a terminal. Letters say the same, so that no information is in a colour alone.
import { coded } from "../report/index.ts";

export interface Paint {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly warn: (text: string) => string;
  /** Every layer has a colour of its own, as far as they go. */
  readonly layer: (id: string, text: string) => string;
}

const same = (text: string): string => text;

export const plain: Paint = { bold: same, dim: same, warn: same, layer: (_, text) => text };

const layerColours = ["36", "33", "35", "32", "34", "31"];

export const painted: Paint = {
  bold: coded("1"),
  dim: coded("2"),
  warn: coded("33"),
  layer: (id, text) => coded(layerColours[numberOf(id) % layerColours.length] ?? "36")(text),
};

function numberOf(id: string): number {
  return id.split("").reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}
