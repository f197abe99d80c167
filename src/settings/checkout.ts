// The settings of a checkout: those that questions have a use for, and what the checkout is. A fold has no use for `checkout`.
import * as v from "valibot";
import { Settings } from "./settings.ts";

const { merge, protect, schemas, verify } = Settings.entries;

const text = v.pipe(v.string(), v.minLength(1, "expected a string"));

/** More patterns than these would take long, however few files there are. */
const mostPatterns = 100;
const longestPattern = 1000;

/** So many sources or charts no checkout has. */
const mostEntries = 1000;
const tooMany = `expected ${mostEntries} entries at most`;

const pattern = v.pipe(
  text,
  v.maxLength(longestPattern, "expected a shorter pattern"),
  v.check((each) => !each.startsWith("!"), "expected a pattern of what is ignored: `!` takes nothing back"),
);

export const Checkout = v.strictObject({
  sources: v.optional(
    v.pipe(
      v.array(v.strictObject({ url: text, folder: v.optional(text, ".") })),
      v.maxLength(mostEntries, tooMany),
      v.description(
        "Sources of Flux and Argo CD that are this repository, by their URLs, where no git remote says so. folder: the folder of it that the source has; default: all.",
      ),
      v.examples([[{ url: "oci://registry.example/fleet", folder: "kubernetes" }]]),
    ),
  ),
  ignore: v.optional(
    v.pipe(
      v.array(pattern),
      v.maxLength(mostPatterns, `expected ${mostPatterns} patterns at most`),
      v.description(
        "What is neither listed nor checked: patterns of paths from the top; `*` and `?` within a name, `**` for any directories, `[a-c]`, `{a,b}`. What is below a directory that fits is ignored, too. What another directory builds of it is still built.",
      ),
      v.examples([["archive", "**/testdata/**"]]),
    ),
  ),
  charts: v.optional(
    v.pipe(
      v.array(v.strictObject({ name: text, path: text })),
      v.maxLength(mostEntries, tooMany),
      v.description(
        "Charts in the repository. name: a target, or what targets call their chart. path: a chart or its archive, from the top.",
      ),
      v.examples([[{ name: "podinfo", path: "charts/podinfo" }]]),
    ),
  ),
  clusters: v.optional(
    v.pipe(
      text,
      v.description("A file with the clusters that Argo CD knows, from the top."),
      v.examples(["clusters.yaml"]),
    ),
  ),
  apiVersions: v.optional(
    v.pipe(
      v.array(text),
      v.maxLength(mostEntries, tooMany),
      v.description(
        "APIs of the clusters beside those of Kubernetes, as charts ask for them: group and version, perhaps with a kind.",
      ),
      v.examples([["monitoring.coreos.com/v1", "networking.k8s.io/v1/Ingress"]]),
    ),
  ),
  helm: v.optional(
    v.pipe(
      v.picklist([3, 4], "expected 3 or 4"),
      v.description("Helm version (3 or 4) whose rules apply. Unset: that of Flux or Argo CD."),
      v.examples([4]),
    ),
  ),
});

export const CheckoutSettings = v.strictObject({
  merge,
  protect,
  schemas,
  verify,
  checkout: v.optional(Checkout, {}),
});

export type CheckoutSettings = v.InferOutput<typeof CheckoutSettings>;
