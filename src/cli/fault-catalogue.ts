// What each code means and what to do about it: the table in docs/faults.md (by `npm run schema`), and the help of SARIF rules.
import { referencingKinds, type SarifRule } from "../core/index.ts";
import type { Diagnostic } from "../diagnostic.ts";

interface FaultFacts {
  /** The severities that it may have. */
  readonly severity: string;
  /** Markdown; links start from `docs/`. */
  readonly cause: string;
  readonly cure: string;
}

const rangesOfKinds = referencingKinds
  .map(({ kind, maxPriority }) => `${kind} 1 to ${maxPriority}`)
  .join(", ");

export const catalogue: { readonly [code in Diagnostic["code"]]: FaultFacts } = {
  "not-a-resource-list": {
    severity: "error",
    cause: "stdin is empty, or no ResourceList of a known version",
    cure: "pipe one in, or use `valuefold fold`",
  },
  "input-unreadable": {
    severity: "error",
    cause: "the input is not valid YAML",
    cure: "correct it at the place named",
  },
  "item-unreadable": {
    severity: "error, warning",
    cause:
      "an item that valuefold must change is written with aliases; a target cannot be read; a List in a List (a warning)",
    cure: "write its references out; correct the YAML",
  },
  "unknown-setting": {
    severity: "error",
    cause: "a setting that is not in [the table](settings.md#settings)",
    cure: "take the suggestion",
  },
  "invalid-setting": {
    severity: "error, warning",
    cause:
      "a setting with a value it cannot have, or written twice; settings that have no effect; a document that asks for no render",
    cure: "see [the table](settings.md#settings)",
  },
  "invalid-annotation": {
    severity: "error, warning",
    cause:
      "`valuefold.dev/…` misspelt, on the wrong kind, or with a value it cannot have; `priority` or `key` without `into` is a warning",
    cure: "correct [the annotation](settings.md#annotations)",
  },
  "invalid-priority": {
    severity: "error",
    cause: `not a whole number in the range of the target's kind (${rangesOfKinds})`,
    cure: "correct it; the API server refuses it as well",
  },
  "invalid-reference": {
    severity: "error, warning",
    cause:
      "an entry of `extraConfigs` or `valuesFrom` with a wrong kind or without a name, or a field that is no list; a target that names the folded item of another (a warning)",
    cure: "correct it: its consumer would ignore or refuse it; name the layers instead",
  },
  "orphan-layer": {
    severity: "error, warning",
    cause: "the target that a layer names is not in the list (a warning under `*`)",
    cure: "correct the name or namespace",
  },
  "ambiguous-reference": {
    severity: "error",
    cause: "several items fit a name",
    cure: "rename one, or put the right one next to the target",
  },
  "secret-across-namespaces": {
    severity: "error",
    cause: "a Secret is annotated into another namespace",
    cure: "move it",
  },
  "secret-into-configmap": {
    severity: "error",
    cause:
      "a Secret is annotated into a ConfigMap, or a [Repeat](repeat.md) would set a value of a Secret elsewhere",
    cure: "make the target a Secret",
  },
  "target-left-alone": {
    severity: "warning",
    cause: 'a layer\'s target says `fold: "false"`, or no selector matches it',
    cure: "change either, or take the layer out",
  },
  "unmatched-selector": {
    severity: "warning",
    cause:
      "no item matches a selector of the setting `targets`; or no target has a value at a path of `merge` or `protect`",
    cure: "correct it",
  },
  "unknown-field": {
    severity: "warning",
    cause: "a target spells a list of references in a way that no consumer reads (`configs`, `valueFrom`)",
    cure: "spell it as the message says",
  },
  "several-keys": {
    severity: "error",
    cause: "an item has several data keys and no rule picks one, or lacks the key that is named",
    cure: "leave one key, or name it with `valuefold.dev/key`",
  },
  "no-namespace": {
    severity: "error",
    cause: "an App must name a namespace for the folded item, and nothing gives one",
    cure: "give the App one",
  },
  "layer-unreadable": {
    severity: "error",
    cause:
      "a layer is not valid YAML, UTF-8 or base64, or holds what Go's YAML refuses; or an annotated layer has no `data`",
    cure: "correct the text; write the values under `data`",
  },
  "not-a-mapping": {
    severity: "error",
    cause: "a list or text is at the top of the values",
    cure: "indent it under a key",
  },
  "unsupported-key": {
    severity: "error",
    cause:
      "a key is null, a collection, or a whole number from 2^63 up to 2^64 (beyond that Go reads a float, or text), or starts with a byte order mark",
    cure: "quote it",
  },
  "key-spelled-twice": {
    severity: "error",
    cause: 'one key has two spellings (`on`, `"true"`): Go picks one at random',
    cure: "keep one, quoted",
  },
  "too-deep": { severity: "error", cause: "the document nests deeper than 200 levels", cure: "flatten it" },
  "expansion-bound": {
    severity: "error",
    cause:
      "aliases expand beyond bounds, or hold themselves; or YAML with anchors, tags and the like has more than 150,000 tokens",
    cure: "write them out",
  },
  "duplicate-key": {
    severity: "warning",
    cause: "one mapping has a key twice; the last one wins",
    cure: "remove one",
  },
  "several-documents": {
    severity: "error, warning",
    cause:
      "a second YAML document: in Helm values every consumer ignores it (a warning), in a file of a ConfigMap target it is an error",
    cure: "make it a layer, or say `format: text`",
  },
  "list-directive": {
    severity: "warning",
    cause: "`$patch` is plain data here",
    cure: "remove it, or give its list a [rule](lists.md)",
  },
  "variable-layer": {
    severity: "warning",
    cause: "the layer does not read but holds `${`; it stays, and nothing folds across it",
    cure: "quote the variable in brackets",
  },
  "sealed-layer": {
    severity: "error",
    cause: "a sealed layer is known by annotation only, or would go into a Secret in place",
    cure: "set `sops`, or reference it from the target",
  },
  "seal-missing": {
    severity: "error",
    cause: "opened layers share no recipient, and `sops.seal` names none",
    cure: "name recipients in `sops.seal`, or set `sops.allowPlaintext`",
  },
  "seal-failed": {
    severity: "error",
    cause: "SOPS could not seal a folded Secret",
    cure: "check the recipients",
  },
  "sops-failed": {
    severity: "error",
    cause:
      "SOPS is not on the PATH, has no key that opens a sealed layer, takes longer than a minute, or fails otherwise",
    cure: "try `sops decrypt` by hand; does it ask for a passphrase?",
  },
  "sops-malformed": {
    severity: "error",
    cause:
      "SOPS cannot read a sealed layer in the format that its marker and key ask for; or a sealed value or its MAC was changed, moved or removed",
    cure: "restore it, or seal it again",
  },
  "fold-too-large": {
    severity: "warning, error",
    cause:
      "the folded text would pass 1 MiB, so the run ends; or a rendered object does. The record of a fold would pass 256 KiB: an error",
    cure: "nothing is lost; merge layers into one",
  },
  "not-exact": {
    severity: "error",
    cause:
      "layers that must become one cannot: a `${…}` meets a mapping, Flux treats them differently, or the target's data passes 1 MiB",
    cure: "make the layers alike",
  },
  "base-lost": {
    severity: "error",
    cause: "kpt: a target's own data cannot be edited in place",
    cure: "make the base a layer of its own",
  },
  "binary-data": {
    severity: "error",
    cause: "a layer has `binaryData`, or a key that is binary in the target",
    cure: "put it into the target itself",
  },
  "key-added": {
    severity: "warning",
    cause: "a layer's data key is nearly that of its target, and is added next to it",
    cure: "name it as the target does, or say `valuefold.dev/key`",
  },
  "fold-cycle": {
    severity: "error",
    cause: "a target is a layer of itself, perhaps by way of others",
    cure: "take one annotation away",
  },
  "dotted-key-conflict": {
    severity: "error",
    cause: "Kyma: a key is both a value and a mapping",
    cure: "drop one",
  },
  tie: {
    severity: "error, warning",
    cause: "two layers of equal priority set a path differently (an error under `onTie: error`)",
    cure: "give them different priorities",
  },
  "invalid-name": {
    severity: "error",
    cause: "a folded item would have a longer name than Kubernetes takes",
    cure: "set a shorter `output.name`",
  },
  "name-taken": {
    severity: "error",
    cause: "the name of the folded item, or of a clone, is used",
    cure: "set `output.name`, or `as`",
  },
  "folded-edited": {
    severity: "error, warning",
    cause:
      "a folded item, its entry in the target, or a folded key is not what was folded (under `verify` a warning); a target and its folded items are of two branches; a later version of valuefold wrote the record",
    cure: "change a layer instead; take both from one branch; use one version everywhere",
  },
  "folded-stale": {
    severity: "error, warning",
    cause:
      "`verify`: a layer of a folded item changed after the fold. A warning: a new layer belongs between layers that were folded and are gone",
    cure: "fold again, with what was there before the first fold; in kustomize, let the topmost kustomization fold, too",
  },
  "reference-back": {
    severity: "warning",
    cause: "kpt: an object that was folded is no longer in the list, so the target references it again",
    cure: "bring it back, or take the reference away",
  },
  "layer-kept": {
    severity: "warning, info",
    cause:
      "a layer stays because a field of another item references it (the message names the field); an info if it says `keep` itself, or is a folded item without its own layers",
    cure: 'say `valuefold.dev/keep: "true"` if it is meant',
  },
  "layer-held": {
    severity: "warning",
    cause: "an annotated layer is in a folded item whose other layers are gone; it is not applied again",
    cure: "fold what was rendered before",
  },
  "layer-left": {
    severity: "error, warning, info",
    cause:
      "`verify`: an annotated layer is still there (an info where it was not to be folded). A referenced layer is never applied and not folded: a warning",
    cure: "let the function run; remove `local-config`",
  },
  "folded-dangling": {
    severity: "error",
    cause:
      "a target references what was folded for it, and the item is missing (under `verify` any name of the default form, `…-folded`); or no target references a folded item",
    cure: "bring the other one back, or fold the whole list; or remove it",
  },
  "unresolved-reference": {
    severity: "error, warning, info",
    cause:
      "a reference is not in the list, and an item nearly answers it (name, namespace or key); `verify`: any other is an info. With `--strict` an error",
    cure: "correct it; or add the item, if the cluster does not have it",
  },
  "rule-mismatch": {
    severity: "error",
    cause:
      "an element of a list does not fit the rule of the setting [`merge`](lists.md): no key, a key twice, a wrong `$patch`; or a plain `${…}` is in place of the list; or a list in a target edited in place would be appended to",
    cure: "correct the element, or give the list another rule",
  },
  "rule-unmet": {
    severity: "warning",
    cause: "a `$patch` finds nothing to act on, or a list meets something else",
    cure: "correct the element, or write a list in both layers",
  },
  "rule-apart": {
    severity: "error",
    cause: "a rule would bring two values together that do not fold into one",
    cure: "bring the layers together, or begin the upper list with `- $patch: replace`",
  },
  "rule-kept": {
    severity: "info",
    cause: "a rule of an earlier fold still holds, though the settings do not have it",
    cure: "say it in `merge`, or take it back there",
  },
  "protected-path": {
    severity: "error, warning, info",
    cause:
      "a layer sets a path that the setting [`protect`](settings.md#protected-paths) keeps from it; or it is unknown whether it does",
    cure: "remove it, or have it allowed in `protect`",
  },
  schema: {
    severity: "error, warning",
    cause:
      "a value is not what a [schema](schemas.md) asks for; a warning if a layer above it cannot be read and may change it, and for a [keyword that is not checked](schemas.md#keywords)",
    cure: "correct the value, or the schema",
  },
  "schema-reference": {
    severity: "error",
    cause:
      "a `$ref` of a schema leads to nothing that is given, or to several of one `$id`: [nothing is fetched](schemas.md#drafts-and-references)",
    cure: "give the other schema, too, with its `$id`",
  },
  "invalid-schema": {
    severity: "error",
    cause:
      "a JSON Schema is not there, cannot be read, is no valid schema of a known draft, or takes too long; rendering: the same of [the schema of layers](render.md#the-schema)",
    cure: "correct it at the place named",
  },
  "repeat-invalid": {
    severity: "error",
    cause:
      "what a [Repeat](repeat.md) names is not in the list or there several times, a path or placeholder leads nowhere, a clone would have a wrong name, or instances are missing",
    cure: "correct the Repeat, or its instances",
  },
  "repeat-in-place": {
    severity: "error",
    cause:
      "a Repeat [where the output is the next input](repeat.md#where-a-repeat-runs), which would use it up; or what an earlier version left there",
    cure: "run it where the input stays, or write `once: true`; remove what is left",
  },
  "repeat-left": {
    severity: "error",
    cause: "`verify`: a Repeat was left as it is",
    cure: "let the function run",
  },
  "idle-layer": {
    severity: "warning",
    cause: "[`verify`](lints.md): nothing would change without the layer",
    cure: "remove it, or correct it",
  },
  "idle-value": {
    severity: "warning",
    cause: "[`verify`](lints.md), if a setting says so: a layer sets what the layers below it say already",
    cure: "remove it, unless it must stay when a layer below changes",
  },
  "equals-default": {
    severity: "info",
    cause: "[`verify`](lints.md): a layer sets what the chart's defaults say already",
    cure: "remove it, unless it must stay when the chart changes",
  },
  "hidden-override": {
    severity: "warning",
    cause: "`verify`: an override is overridden itself in every target",
    cure: "take it away, or see `valuefold explain`",
  },
  "mapping-replaced": {
    severity: "warning",
    cause: "`verify`: a text or list replaces a mapping",
    cure: "write the keys that are to change",
  },
  "list-replaced": {
    severity: "warning",
    cause: "`verify`: a mapping replaces a list",
    cure: "write a list",
  },
  "listed-twice": {
    severity: "warning",
    cause: "`verify`: one object is twice in a stack",
    cure: "keep one of the two",
  },
  "unused-values": {
    severity: "warning",
    cause: "`verify`: nothing in the list uses an object with values",
    cure: "reference it, or take it away",
  },
  "unknown-key": {
    severity: "warning",
    cause: "[`verify`](charts.md#keys-that-no-chart-reads): a chart reads a key of nearly the same name",
    cure: "write the name that the chart reads",
  },
  "unread-key": {
    severity: "warning",
    cause: "the same, if a setting says so, without such a name",
    cure: "remove it, or correct it",
  },
  "too-large-to-apply": {
    severity: "warning",
    cause: "`verify`: a folded item is larger than a client-side apply takes",
    cure: "apply it on the server's side",
  },
  "no-target": {
    severity: "warning, error",
    cause:
      "the list holds nothing to fold; a kind of target has an unknown version; under `values` not the target that was named",
    cure: "check the list, or the setting `targets`",
  },
  "no-directory": {
    severity: "error",
    cause: "rendering: the directory of layers is not there, or the function sees no files",
    cure: "correct `spec.directory`; use `exec`",
  },
  "missing-path": {
    severity: "error, warning",
    cause:
      "rendering: a folder or file that the schema or scope requires is not there; or a layer has no file for any instance, as its folder is not there: an error with `--strict` only",
    cure: "add it, or let the schema not require it; or take the suggestion",
  },
  "file-refused": {
    severity: "error",
    cause: "rendering: a path or link leads out of the directory, or a file is too large, binary or no file",
    cure: "put a copy into the directory; correct the path",
  },
  "unknown-variable": {
    severity: "error, warning",
    cause:
      "rendering: `<< name >>` names no variable of the schema; or a variable is set that it does not have",
    cure: "take the suggestion",
  },
  "missing-variable": {
    severity: "error",
    cause: "rendering: nothing sets a variable that the schema requires",
    cure: "set it",
  },
  "scope-miss": {
    severity: "warning, error",
    cause: "rendering: an exact include is no folder; an error with `--strict`",
    cure: "take the suggestion",
  },
  "scope-empty": {
    severity: "error",
    cause: "rendering: the scope matches nothing, or nothing says what is rendered",
    cure: "correct includes and excludes",
  },
  "template-failed": {
    severity: "error",
    cause:
      "rendering: a Go template does not parse, uses a missing key or an impure function, or does not end",
    cure: "correct it at the place named",
  },
  "patch-failed": {
    severity: "error",
    cause: "rendering: a JSON patch is not well made, or does not apply",
    cure: "correct its path",
  },
  "patch-lenient": {
    severity: "warning",
    cause:
      "rendering: `replace` or the `from` of a `copy` names what is not there; it applies nevertheless, as in konfigure",
    cure: "say `add`, or correct the path",
  },
  "values-wiped": {
    severity: "warning",
    cause: "rendering: a layer is `null` at the top, and drops all lower layers",
    cure: "leave it empty",
  },
  "idle-values": {
    severity: "warning",
    cause: "rendering: no template reads the values of a file",
    cure: "name the file under `templates`",
  },
  "large-number": {
    severity: "warning",
    cause: "rendering: a number above 2^53 among the values of templates, which read floats",
    cure: "quote it",
  },
  "owner-conflict": {
    severity: "error",
    cause: "rendering: an object is there already and is not this render's, or two instances have one name",
    cure: "give them other names",
  },
  "render-stale": {
    severity: "warning",
    cause:
      "rendering in kpt: an object of this render's owner is in the list, and its app is not rendered any more",
    cure: "delete its file, or bring its app back into scope",
  },
  "values-missing": {
    severity: "warning, info",
    cause:
      "`valuefold values`: what is printed lacks the values of an object that is not in the list, of what the platform may bind, or of Secrets",
    cure: "add the object; say `--secrets`",
  },
  "no-value": {
    severity: "error",
    cause: "`valuefold explain`: no layer sets a value at the path, or the path cannot be read",
    cure: "follow the hint; `./folder` names a folder",
  },
  "not-built": {
    severity: "error, warning, info",
    cause:
      "`explain`, `diff`: something is missing in what is read: a function that kustomize skipped or could not start, a render that failed or that no target reads, a file that is not valid YAML. With `verify --strict` an error. An info: charts and other files that are passed over",
    cure: "follow the hint, for example `--enable-exec`",
  },
  "not-proven": {
    severity: "error",
    cause: "[`factor`](factor.md): a base and its layers do not give a file again, so nothing is written",
    cure: "this is a bug: report it, with files that show it",
  },
  "fold-summary": { severity: "info", cause: "what was folded", cure: "nothing to do" },
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
