// What judging finds wrong: which value, and which keyword of which schema rejects it. Never contains a value. Collected
// only if something is invalid.
import type { Instance } from "./instance.ts";
import type { Schema } from "./schema.ts";

export interface Finding {
  readonly instance: Instance;
  readonly schema: Schema;
  readonly keyword: string;
  /** What is wrong, without the place. */
  readonly says: string;
  /** A key that is missing, as the schema names it. */
  readonly missing?: string;
  /** For an unknown key: the keys that the schema knows. */
  readonly known?: ReadonlyMap<string, unknown>;
  /** A value that the finding depends on as a whole: which alternative applies may change with any part of it. */
  readonly within?: Instance;
}

/** Findings that are kept per target and schema. */
const mostKept = 20;

/** Keywords that distinguish forms of values. Other keywords find what is wrong within a form. */
const forms: ReadonlySet<string> = new Set(["type", "enum", "const", "not", "required"]);

interface Steps {
  step(schema: Schema): void;
}

/** Bounded: each finding is a step of judging, and only the first `mostKept` are kept. */
export class Findings {
  readonly all: Finding[] = [];
  /** How many more there are than those kept. */
  more = 0;
  /** True if the judged value has another form than the schema expects. */
  isOtherForm = false;
  private readonly steps: Steps;
  private readonly of: Instance | undefined;
  private readonly within: Instance | undefined;
  private readonly known = new Map<Instance, Set<string>>();

  constructor(steps: Steps, of?: Instance, within?: Instance) {
    this.steps = steps;
    this.of = of;
    this.within = within;
  }

  add(finding: Finding): void {
    const { instance, keyword, schema } = finding;
    this.steps.step(schema);
    this.isOtherForm ||= instance === this.of && forms.has(keyword);
    if (this.isKnown(finding)) return;
    const { within } = this;
    if (this.all.length === mostKept) this.more++;
    // A nested choice depends on whatever the outer choice depends on.
    else this.all.push(within === undefined ? finding : { ...finding, within });
  }

  /** A collector for a schema that applies depending on a whole value. */
  dependingOn(instance: Instance): Findings {
    return new Findings(this.steps, instance, this.within ?? instance);
  }

  take({ all, more, of, isOtherForm }: Findings): void {
    for (const each of all) this.add(each);
    this.more += more;
    this.isOtherForm ||= isOtherForm && of === this.of;
  }

  /** Several paths through a schema may lead to the same finding. */
  private isKnown({ instance, says, missing = "" }: Finding): boolean {
    const known = this.known.get(instance) ?? new Set();
    const text = `${missing}\n${says}`;
    if (known.has(text)) return true;
    this.known.set(instance, known.add(text));
    return false;
  }
}
