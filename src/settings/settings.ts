// The settings, once: their shapes, defaults, meaning and examples. The JSON Schema for editors, function.yaml
// and the list of docs/settings.md follow this (scripts/schema.ts).
import * as v from "valibot";
import { appKind } from "../kinds.ts";
import { Merge, priority, Protect, Schemas, Selector } from "./by-target.ts";
import { lintCodes } from "./lint-codes.ts";

/** A DNS name once the placeholders are filled in: each is a part of one itself. */
const placeholders =
  /^(?:[a-z0-9]|\{name\}|\{kind\})(?:-*(?:[a-z0-9]|\{name\}|\{kind\}))*(?:\.(?:[a-z0-9]|\{name\}|\{kind\})(?:-*(?:[a-z0-9]|\{name\}|\{kind\}))*)*$/;

/** A bare `off` is false to a YAML reader. */
const level = v.union(
  [v.picklist(["off", "warning", "error"]), v.literal(false)],
  "expected off, warning or error",
);

export const Settings = v.strictObject({
  targets: v.optional(
    v.pipe(
      v.array(Selector),
      v.description(
        "Which targets to fold: those that match any of these selectors. Unset: every App, HelmRelease, ConfigMap and Secret. Kyma overrides are folded only if a selector names the kind Kyma.",
      ),
      v.examples([
        [
          { kind: "App", namespace: "shop" },
          { kind: "HelmRelease", labels: { team: "web" } },
        ],
      ]),
    ),
  ),
  app: v.optional(
    v.strictObject({
      unseen: v.optional(
        v.pipe(
          v.array(priority),
          v.description(
            "Priorities at which the platform binds values that no App names; [] if it binds none.",
          ),
          v.examples([[100], []]),
        ),
        [...appKind.unseen],
      ),
    }),
    {},
  ),
  layers: v.optional(
    v.pipe(
      v.picklist(["local", "prune", "keep"]),
      v.description(
        "What becomes of layers once folded: marked local-config, removed, or kept. Unset: annotated layers become local (in a plain stream they are removed), layers known by reference stay.",
      ),
      v.examples(["prune"]),
    ),
  ),
  nameReference: v.optional(
    v.pipe(
      v.array(
        v.strictObject({
          kind: v.picklist(["ConfigMap", "Secret"]),
          version: v.optional(v.string()),
          fieldSpecs: v.array(
            v.strictObject({
              path: v.string(),
              group: v.optional(v.string()),
              version: v.optional(v.string()),
              kind: v.optional(v.string()),
              create: v.optional(v.boolean()),
            }),
          ),
        }),
      ),
      v.description(
        "Further fields that name ConfigMaps or Secrets, as kustomize's nameReference configuration spells them: a layer that one of them names stays.",
      ),
      v.examples([
        [{ kind: "ConfigMap", fieldSpecs: [{ path: "spec/configMapRef/name", kind: "GrafanaDashboard" }] }],
      ]),
    ),
  ),
  onTie: v.optional(
    v.pipe(
      v.picklist(["listOrder", "error"]),
      v.description("What to do if two layers of equal priority set one path to different values."),
      v.examples(["error"]),
    ),
    "listOrder",
  ),
  merge: Merge,
  protect: Protect,
  schemas: Schemas,
  output: v.optional(
    v.strictObject({
      name: v.optional(
        v.pipe(
          v.string(),
          v.regex(
            placeholders,
            "expected a DNS name of lower-case letters, digits, `-`, `.` and the placeholders {name} and {kind}",
          ),
          v.description("Name of a folded item; {name} and {kind} are those of the target."),
          v.examples(["{name}-values"]),
        ),
        "{name}-folded",
      ),
      hashSuffix: v.optional(
        v.pipe(
          v.union([v.picklist(["auto", "true", "false"]), v.boolean()]),
          v.description(
            "Whether names of folded items end in a hash of their value; auto: if kustomize wanted one for a layer.",
          ),
          v.examples([true]),
        ),
        "auto",
      ),
    }),
    {},
  ),
  verify: v.optional(
    v.strictObject({
      only: v.optional(
        v.pipe(
          v.boolean(),
          v.description(
            "The function folds nothing and changes nothing: it verifies the list, as a validator does.",
          ),
          v.examples([true]),
        ),
        false,
      ),
      strict: v.optional(
        v.pipe(
          v.boolean(),
          v.description("Whether references that are not in the list are errors."),
          v.examples([true]),
        ),
        false,
      ),
      unfolded: v.optional(
        v.pipe(
          v.boolean(),
          v.description("Whether the list is not folded yet: layers that wait for the fold are no fault."),
          v.examples([true]),
        ),
        false,
      ),
      lints: v.optional(
        v.pipe(
          v.strictObject(v.entriesFromList(lintCodes, v.optional(level))),
          v.description("The severity of each finding about layers: off, warning (unset) or error."),
          v.examples([{ tie: "error", "idle-layer": "off" }]),
        ),
      ),
    }),
    {},
  ),
  sops: v.optional(
    v.strictObject({
      seal: v.optional(
        v.pipe(
          v.strictObject({
            age: v.optional(v.array(v.string())),
            pgp: v.optional(v.array(v.string())),
          }),
          v.check(
            ({ age = [], pgp = [] }) => age.length + pgp.length > 0,
            "expected a recipient: age or pgp",
          ),
          v.description(
            "The recipients for which folded Secrets are encrypted again. Unset: those that all decrypted layers share.",
          ),
          v.examples([{ age: ["age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p"] }]),
        ),
      ),
      mac: v.optional(
        v.pipe(
          v.picklist(["auto", "strict"]),
          v.description(
            "auto: the MAC of an encrypted data value must fit, that of a manifest cannot once kustomize has reordered it; strict: it must fit everywhere.",
          ),
          v.examples(["strict"]),
        ),
        "auto",
      ),
      allowPlaintext: v.optional(
        v.pipe(
          v.boolean(),
          v.description("Whether decrypted layers may be folded into Secrets that are not encrypted."),
          v.examples([true]),
        ),
        false,
      ),
      keys: v.optional(
        v.pipe(
          v.string(),
          v.description(
            "Folder of keys, as Flux mounts them: *.agekey, *.asc. Unset: SOPS' own environment.",
          ),
          v.examples(["/sops"]),
        ),
      ),
    }),
  ),
});

export type Settings = v.InferOutput<typeof Settings>;
