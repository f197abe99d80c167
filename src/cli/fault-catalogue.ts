// What each code means and what to do about it: the list in docs/faults.md (by `npm run schema`), and the help of SARIF rules.
import { referencingKinds } from "../kinds.ts";
import type { SarifRule } from "../report/index.ts";
import type { Diagnostic } from "../diagnostic.ts";

interface FaultFacts {
  /** One short line of Markdown; links start from `docs/`. */
  readonly cause: string;
  readonly cure: string;
}

const rangesOfKinds = referencingKinds
  .map(({ kind, maxPriority }) => `${kind} 1 to ${maxPriority}`)
  .join(", ");

export const catalogue: { readonly [code in Diagnostic["code"]]: FaultFacts } = {
  "not-a-resource-list": {
    cause: "stdin is empty, or no ResourceList of a known version",
    cure: "pipe one in, or use `valuefold fold`",
  },
  "input-unreadable": {
    cause: "the input is not valid YAML",
    cure: "correct it at the place named",
  },
  "item-unreadable": {
    cause: "an item to change has aliases, or a target cannot be read",
    cure: "write its references out; correct the YAML",
  },
  "unknown-setting": {
    cause:
      "a setting is not in [the list](settings.md#settings), nor in that of [a checkout](explain.md#settings-of-a-checkout)",
    cure: "take the suggestion",
  },
  "invalid-setting": {
    cause: "a setting has a wrong value, or is set twice",
    cure: "see [the list](settings.md#settings)",
  },
  "invalid-annotation": {
    cause: "an annotation is misspelt, misplaced, or has a wrong value",
    cure: "correct [the annotation](settings.md#annotations)",
  },
  "invalid-priority": {
    cause: `a priority is not a whole number in the range of its target's kind (${rangesOfKinds})`,
    cure: "correct it; the API server refuses it as well",
  },
  "invalid-reference": {
    cause: "an entry of `extraConfigs` or `valuesFrom` has a wrong kind or no name",
    cure: "correct it: its consumer would ignore or refuse it; name the layers instead",
  },
  "orphan-layer": {
    cause: "the target that a layer names is not in the list (a warning for `*`)",
    cure: "correct the name or namespace",
  },
  "ambiguous-reference": {
    cause: "several items match a name",
    cure: "rename one, or put the right one next to the target",
  },
  "secret-across-namespaces": {
    cause: "a Secret is annotated into another namespace",
    cure: "move it",
  },
  "secret-into-configmap": {
    cause: "a Secret, or a value of one, would go into another kind",
    cure: "make the target a Secret",
  },
  "target-left-alone": {
    cause: 'a layer\'s target has `fold: "false"`, or no selector matches it',
    cure: "change either, or take the layer out",
  },
  "unmatched-selector": {
    cause: "a selector, or a path of `merge` or `protect`, matches nothing",
    cure: "correct it",
  },
  "unknown-field": {
    cause: "a target misspells its list of references (`configs`, `valueFrom`)",
    cure: "spell it as the message says",
  },
  "several-keys": {
    cause: "several data keys fit, or the named key is missing",
    cure: "leave one key, or name it with `valuefold.dev/key`",
  },
  "no-namespace": {
    cause: "an App needs a namespace for the folded item",
    cure: "give the App one",
  },
  "layer-unreadable": {
    cause: "a layer has no `data`, or is not valid YAML, UTF-8 or base64",
    cure: "correct the text; write the values under `data`",
  },
  "not-a-mapping": {
    cause: "a list or text is at the top of the values",
    cure: "indent it under a key",
  },
  "unsupported-key": {
    cause: "a key is null, a collection, or a whole number from 2^63",
    cure: "quote it",
  },
  "key-spelled-twice": {
    cause: 'one key has two spellings (`on`, `"true"`)',
    cure: "keep one, quoted",
  },
  "too-deep": { cause: "a document nests deeper than 200 levels", cure: "flatten it" },
  "expansion-bound": {
    cause: "aliases expand too far, or YAML with anchors is too large",
    cure: "write them out",
  },
  "duplicate-key": {
    cause: "a mapping has a key twice; the last one wins",
    cure: "remove one",
  },
  "several-documents": {
    cause: "a second YAML document (an error in files of ConfigMap targets)",
    cure: "make it a layer, or say `format: text`",
  },
  "list-directive": {
    cause: "`$patch` is plain data without a [list rule](lists.md)",
    cure: "remove it, or give its list a [rule](lists.md)",
  },
  "variable-layer": {
    cause: "a layer is not valid YAML before Flux substitutes `${…}`; it stays",
    cure: "quote the variable in brackets",
  },
  "sealed-layer": {
    cause: "a sealed layer must be opened, and `sops` is not set",
    cure: "set `sops`, or reference it from the target",
  },
  "seal-missing": {
    cause: "opened layers share no recipient, and `sops.seal` names none",
    cure: "name recipients in `sops.seal`, or set `sops.allowPlaintext`",
  },
  "seal-failed": {
    cause: "SOPS could not seal a folded Secret",
    cure: "check the recipients",
  },
  "sops-failed": {
    cause: "`sops` is missing, has no key, takes over a minute, or fails",
    cure: "try `sops decrypt` by hand; does it ask for a passphrase?",
  },
  "sops-malformed": {
    cause: "a sealed layer is damaged: its values or its MAC were changed",
    cure: "restore it, or seal it again",
  },
  "fold-too-large": {
    cause: "a folded text exceeds 1 MiB, or its record 256 KiB",
    cure: "nothing is lost; merge layers into one",
  },
  "not-exact": {
    cause: "layers that must become one text cannot",
    cure: "make the layers alike",
  },
  "base-lost": {
    cause: "kpt: a target's own data cannot be the base",
    cure: "make the base a layer of its own",
  },
  "binary-data": {
    cause: "a layer has `binaryData`, or a key that is binary in the target",
    cure: "put it into the target itself",
  },
  "key-added": {
    cause: "a layer adds a data key with nearly the name of another",
    cure: "name it as the target does, or say `valuefold.dev/key`",
  },
  "fold-cycle": {
    cause: "a target is a layer of itself, perhaps through others",
    cure: "take one annotation away",
  },
  "dotted-key-conflict": {
    cause: "Kyma: a key is both a value and a mapping",
    cure: "drop one",
  },
  tie: {
    cause: "two layers of equal priority set one path differently (an error with `onTie: error`)",
    cure: "give them different priorities",
  },
  "invalid-name": {
    cause: "the name of a folded item is too long",
    cure: "set a shorter `output.name`",
  },
  "name-taken": {
    cause: "the name of a folded item or clone is already used",
    cure: "set `output.name`, or `as`",
  },
  "folded-edited": {
    cause: "a folded item, its reference or its record was edited",
    cure: "change a layer instead; take both from one branch; use one version everywhere",
  },
  "folded-stale": {
    cause: "a layer changed, or was added, after the fold",
    cure: "fold again, with what was there before the first fold; in kustomize, let the topmost kustomization fold, too",
  },
  "reference-back": {
    cause: "kpt: a folded object was deleted, so the target references it again",
    cure: "bring it back, or take the reference away",
  },
  "layer-kept": {
    cause: "a layer stays, because another item references it",
    cure: 'say `valuefold.dev/keep: "true"` if it is meant',
  },
  "layer-held": {
    cause: "an annotated layer is in a folded item already",
    cure: "fold what was rendered before",
  },
  "layer-left": {
    cause: "`verify`: a layer is not folded",
    cure: "let the function run; remove `local-config`",
  },
  "folded-dangling": {
    cause: "a folded item is missing, or no target references it",
    cure: "bring the other one back, or fold the whole list; or remove it",
  },
  "unresolved-reference": {
    cause: "a reference is not in the list (an error with `--strict`)",
    cure: "correct it; or add the item, if the cluster does not have it",
  },
  "rule-mismatch": {
    cause: "a list or an element does not fit its [rule](lists.md)",
    cure: "correct the element, or give the list another rule",
  },
  "rule-unmet": {
    cause: "a `$patch` finds nothing, or a list meets something else",
    cure: "correct the element, or write a list in both layers",
  },
  "rule-apart": {
    cause: "a rule needs two values that do not fold into one",
    cure: "bring the layers together, or begin the upper list with `- $patch: replace`",
  },
  "rule-kept": {
    cause: "a rule of an earlier fold still applies",
    cure: "say it in `merge`, or take it back there",
  },
  "protected-path": {
    cause: "a layer sets a path that [`protect`](settings.md#protected-paths) reserves",
    cure: "remove it, or have it allowed in `protect`",
  },
  schema: {
    cause: "a value does not match its [schema](schemas.md)",
    cure: "correct the value, or the schema",
  },
  "schema-reference": {
    cause: "a `$ref` matches no given schema, or several",
    cure: "give the other schema, too, with its `$id`",
  },
  "invalid-schema": {
    cause: "a JSON Schema is missing, not valid, or takes too long",
    cure: "correct it at the place named",
  },
  "repeat-invalid": {
    cause: "a [Repeat](repeat.md), or one of its instances, is wrong",
    cure: "correct the Repeat, or its instances",
  },
  "repeat-in-place": {
    cause: "a Repeat [where the output is the next input](repeat.md#where-a-repeat-runs)",
    cure: "run it where the input stays, or write `once: true`; remove what is left",
  },
  "repeat-left": {
    cause: "`verify`: a Repeat was not run",
    cure: "let the function run",
  },
  "idle-layer": {
    cause: "[`verify`](lints.md): nothing would change without the layer",
    cure: "remove it, or correct it",
  },
  "idle-value": {
    cause: "[`verify`](lints.md), if set: a layer repeats a value of the layers below",
    cure: "remove it, unless it must stay when a layer below changes",
  },
  "equals-default": {
    cause: "[`verify`](lints.md): a layer repeats a default of the chart",
    cure: "remove it, unless it must stay when the chart changes",
  },
  "hidden-override": {
    cause: "`verify`: an override is overridden itself in every target",
    cure: "take it away, or see `valuefold explain`",
  },
  "mapping-replaced": {
    cause: "`verify`: a text or list replaces a mapping",
    cure: "write the keys that are to change",
  },
  "list-replaced": {
    cause: "`verify`: a mapping replaces a list",
    cure: "write a list",
  },
  "listed-twice": {
    cause: "`verify`: one object is twice in a stack",
    cure: "keep one of the two",
  },
  "unused-values": {
    cause: "`verify`: nothing in the list uses an object with values",
    cure: "reference it, or take it away",
  },
  "unknown-key": {
    cause:
      "[`verify`](charts.md#keys-that-no-chart-reads): the chart reads, or the values have, a key of nearly this name",
    cure: "correct the one that is wrong",
  },
  "unread-key": {
    cause: "`verify`, if set: the chart does not read a key",
    cure: "remove it, or correct it",
  },
  "patch-without-target": {
    cause: "[`verify`](lints.md): nothing in a build matches the target of a patch",
    cure: "correct the target, or remove the patch",
  },
  "too-large-to-apply": {
    cause: "`verify`: a folded item is too large for a client-side apply",
    cure: "apply it on the server's side",
  },
  "no-target": {
    cause: "the list has nothing to fold, or not the named target",
    cure: "check the list, or the setting `targets`",
  },
  "no-directory": {
    cause: "rendering: the directory of layers is not there",
    cure: "correct `spec.directory`; use `exec`",
  },
  "missing-path": {
    cause: "rendering: a required folder or file is not there",
    cure: "add it, or let the schema not require it; or take the suggestion",
  },
  "file-refused": {
    cause: "rendering: a file is outside the directory, too large, or binary",
    cure: "copy the file into the directory, or correct the path",
  },
  "unknown-variable": {
    cause: "rendering: the schema has no such variable",
    cure: "take the suggestion",
  },
  "missing-variable": {
    cause: "rendering: a required variable is not set",
    cure: "set it",
  },
  "scope-miss": {
    cause: "rendering: an include is no folder (an error with `--strict`)",
    cure: "take the suggestion",
  },
  "scope-empty": {
    cause: "rendering: the scope matches nothing",
    cure: "correct includes and excludes",
  },
  "template-failed": {
    cause: "rendering: a Go template fails",
    cure: "correct it at the place named",
  },
  "patch-failed": {
    cause: "rendering: a JSON patch is not valid, or does not apply",
    cure: "correct its path",
  },
  "patch-lenient": {
    cause: "rendering: a patch of a missing path is applied, as in konfigure",
    cure: "say `add`, or correct the path",
  },
  "values-wiped": {
    cause: "rendering: a layer is `null`, and drops all lower layers",
    cure: "leave it empty",
  },
  "idle-values": {
    cause: "rendering: no template reads the values of a file",
    cure: "name the file under `templates`",
  },
  "large-number": {
    cause: "rendering: a number for templates is above 2^53",
    cure: "quote it",
  },
  "owner-conflict": {
    cause: "rendering: an object exists already",
    cure: "give them other names",
  },
  "render-stale": {
    cause: "rendering in kpt: an object's app is not rendered any more",
    cure: "delete its file, or bring its app back into scope",
  },
  "values-missing": {
    cause: "`values` cannot know all values, or leaves out those of Secrets",
    cure: "add the object; use `--secrets`",
  },
  "no-value": {
    cause: "`explain`: no layer sets a value at the path",
    cure: "follow the hint; `./folder` names a folder",
  },
  "not-built": {
    cause: "`explain`, `diff`: something could not be built or read (an error with `--strict`)",
    cure: "follow the hint, for example `--enable-exec`",
  },
  "not-proven": {
    cause: "[`factor`](factor.md): the result does not give a file again: report this bug",
    cure: "this is a bug: report it, with files that show it",
  },
  "fold-summary": {
    cause: "what was folded, or which [settings of a checkout](explain.md#settings-of-a-checkout) are used",
    cure: "nothing to do",
  },
  usage: {
    cause: "the command line, or a file that it names, is wrong; a warning: an earlier spelling",
    cure: "follow the hint",
  },
};

/** The rule of a code for code scanning. @param docs where the pages are read */
export function sarifRule(code: Diagnostic["code"], docs: string): SarifRule {
  const { cause, cure } = catalogue[code];
  const plain = (text: string): string => text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1");
  const linked = (text: string): string => text.replaceAll("](", `](${docs}/`);
  return {
    shortDescription: { text: plain(cause) },
    help: { text: plain(cure), markdown: `${linked(cause)}\n\n**Cure:** ${linked(cure)}` },
    helpUri: `${docs}/faults.md#fault-codes`,
  };
}
