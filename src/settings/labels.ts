// Labels as settings name them: texts under any name of their own. valibot's record leaves out `constructor`,
// `prototype` and `__proto__` without a word, and a selector that names one of them would match everything.
import * as v from "valibot";

type Labels = Readonly<Record<string, string>>;

export const anyLabels = v.custom<Labels>(() => true);

export const Labels = v.pipe(
  anyLabels,
  v.rawCheck(({ dataset: { value }, addIssue }) => {
    const input: unknown = value;
    if (!isObject(input)) addIssue({ expected: "Object" });
    else
      for (const [key, text] of Object.entries(input))
        if (typeof text !== "string")
          addIssue({
            expected: "string",
            received: kindOf(text),
            path: [{ type: "object", origin: "value", input, key, value: text }],
          });
  }),
);

/** Their form in the JSON Schema for editors: `anyLabels` has no form of its own there. */
export const labelsInJsonSchema = {
  type: "object",
  propertyNames: { type: "string" },
  additionalProperties: { type: "string" },
} as const;

function isObject(input: unknown): input is Record<string, unknown> {
  return typeof input === "object" && input !== null && !Array.isArray(input);
}

function kindOf(value: unknown): string {
  return isObject(value) ? "Object" : Array.isArray(value) ? "Array" : String(value);
}
