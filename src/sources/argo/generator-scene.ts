// What the generators of an ApplicationSet have in common: what they may look at, and how they report.
import type { Diagnostic } from "../../diagnostic.ts";
import type { Place } from "../../explanation.ts";
import { notBuilt } from "../not-built.ts";
import { membersIn, opened, type Placed, textIn } from "../placed.ts";
import { placesIn, type SetParameters } from "./parameters-of-sets.ts";
import { filled, type TemplateForm } from "./template.ts";

/** What generators may look at. */
export interface GeneratorSurroundings {
  /** The top of the checkout of a repository; undefined for one that is not here. */
  readonly topOf: (url: string) => string | undefined;
  readonly shown: (path: string) => string;
  /** A file, which several sets may name. */
  readonly read: (path: string) => Placed | Diagnostic;
  /** A file with a list of clusters. */
  readonly clusters: string | undefined;
}

/** Undefined for what cannot be known. */
export type Generated = readonly SetParameters[] | undefined;

export class GeneratorScene {
  readonly form: TemplateForm;
  readonly around: GeneratorSurroundings;
  /** What a set cannot be made of, and what is wrong in it. */
  readonly faults: Diagnostic[] = [];

  constructor(form: TemplateForm, around: GeneratorSurroundings) {
    this.form = form;
    this.around = around;
  }

  refuse(message: string, at: Place | undefined): undefined {
    this.faults.push(notBuilt({ message, severity: "error", at }));
    return undefined;
  }

  unseen(message: string, at: Place | undefined, hint: string): undefined {
    this.faults.push(notBuilt({ message, hint, at }));
    return undefined;
  }

  /** `values` of a generator are texts that its own parameters fill. */
  async withOwnValues(all: readonly SetParameters[], values: Placed | undefined): Promise<Generated> {
    if (values === undefined || membersIn(values).size === 0) return all;
    const made = await filled(
      all.map((parameters) => ({ field: values, parameters })),
      this.form,
    );
    const found = all.map((parameters, index): SetParameters | undefined => {
      const own = made[index];
      if (own === undefined || "fault" in own) return this.refuse(own?.fault ?? "", own?.at);
      const texts = [...membersIn(own)].map(([key, each]) => [key, textIn(opened(each)) ?? ""] as const);
      const named = this.form.isGo
        ? { values: Object.fromEntries(texts) }
        : Object.fromEntries(texts.map(([key, text]) => [`values.${key}`, text]));
      return {
        values: { ...parameters.values, ...named },
        places: new Map([...parameters.places, ...placesIn(own, "values")]),
      };
    });
    return found.some((each) => each === undefined) ? undefined : found.flatMap((each) => each ?? []);
  }
}

/** As Argo CD makes a name of any text. */
export function normalized(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^-a-z0-9.]/g, "-")
    .slice(0, 253)
    .replaceAll(/^[-.]+|[-.]+$/g, "");
}
