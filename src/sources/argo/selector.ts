// Label selectors, as Argo CD applies them to clusters and to parameters.
import { fieldIn, listIn, membersIn, type Placed, textIn } from "../placed.ts";

export function isSelected(selector: Placed | undefined, labels: Readonly<Record<string, string>>): boolean {
  const exact = [...membersIn(fieldIn(selector, "matchLabels"))];
  const rules = listIn(fieldIn(selector, "matchExpressions"));
  return (
    exact.every(([key, value]) => labels[key] === (textIn(value) ?? "")) &&
    rules.every((rule) => isMet(rule, labels))
  );
}

function isMet(rule: Placed, labels: Readonly<Record<string, string>>): boolean {
  const value = labels[textIn(fieldIn(rule, "key")) ?? ""];
  const values = listIn(fieldIn(rule, "values")).map((each) => textIn(each) ?? "");
  const isIn = value !== undefined && values.includes(value);
  const operator = textIn(fieldIn(rule, "operator"));
  if (operator === "In") return isIn;
  if (operator === "NotIn") return !isIn;
  return operator === "Exists" ? value !== undefined : operator === "DoesNotExist" && value === undefined;
}
