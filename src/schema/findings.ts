// What judging finds wrong: which value, and which keyword of which schema rejects it. Collected only if something is
// invalid. Bounded: only the first are kept.
import type { JudgedValue } from "./instance.ts";
import type { SchemaPart } from "./source.ts";

/** Never contains a value. */
export interface Finding {
  readonly instance: JudgedValue;
  readonly schema: SchemaPart;
  readonly keyword: string;
  /** What is wrong, without the place. */
  readonly says: string;
  /** A key that is missing, as the schema names it. */
  readonly missing?: string;
  /** For an unknown key: the keys that the schema knows. */
  readonly known?: ReadonlyMap<string, unknown>;
  /** A value that the finding depends on as a whole: which alternative applies may change with any part of it. */
  readonly within?: JudgedValue;
}

/** Findings that are kept per target and schema. */
const mostKept = 20;

/** Keywords that distinguish forms of values. Other keywords find what is wrong within a form. */
const forms: ReadonlySet<string> = new Set(["type", "enum", "const", "not", "required"]);

export class Findings {
  readonly all: Finding[] = [];
  /** How many more there are than those kept. */
  more = 0;
  /** True if the judged value has another form than the schema expects. */
  isOtherForm = false;
  private readonly of: JudgedValue | undefined;
  private readonly within: JudgedValue | undefined;
  private readonly known = new Map<JudgedValue, Set<string>>();

  constructor(of?: JudgedValue, within?: JudgedValue) {
    this.of = of;
    this.within = within;
  }

  add(finding: Finding): void {
    this.isOtherForm ||= finding.instance === this.of && forms.has(finding.keyword);
    if (this.isKnown(finding)) return;
    const { within } = this;
    if (this.all.length === mostKept) this.more++;
    // A nested choice depends on whatever the outer choice depends on.
    else this.all.push(within === undefined ? finding : { ...finding, within });
  }

  /** A collector for a schema that applies depending on a whole value. */
  dependingOn(instance: JudgedValue): Findings {
    return new Findings(instance, this.within ?? instance);
  }

  take(others: Findings | undefined): void {
    for (const each of others?.all ?? []) this.add(each);
    this.more += others?.more ?? 0;
    this.isOtherForm ||= others?.isOtherForm === true && others.of === this.of;
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
