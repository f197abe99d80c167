// Figures on pages are those of the code: priorities of kinds, their ranges and data keys. A changed fact is missed on its pages.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { appKind, helmReleaseKind, inPlaceKinds, factsOf, type TargetKind } from "../src/kinds.ts";

interface Kinds {
  readonly app: TargetKind;
  readonly release: TargetKind;
  readonly inPlace: TargetKind;
}

const [plain = ""] = inPlaceKinds;
const kinds: Kinds = { app: appKind, release: helmReleaseKind, inPlace: factsOf(plain) as TargetKind };

/** What pages say, by their names. */
function sentencesOf({ app, release, inPlace }: Kinds): readonly (readonly [string, string])[] {
  const list = ({ references }: TargetKind): number | undefined => references?.listPriority;
  const { config, userConfig } = app.references?.slots ?? {};
  const { unseen = [] } = app;
  return [
    ["README.md", `# priority ${release.defaultPriority}; \`valuesFrom\` has ${list(release)}`],
    [
      "docs/settings.md",
      `App 1 to ${app.maxPriority}, default ${app.defaultPriority}; HelmRelease 1 to ${release.maxPriority}, default ${release.defaultPriority}; ConfigMap and Secret 1 to ${inPlace.maxPriority}, default ${inPlace.defaultPriority}`,
    ],
    ["docs/settings.md", `default \`[${unseen.join(", ")}]\``],
    ["docs/settings.md", `the only one, else \`${app.dataKey}\`, else \`${release.dataKey}\``],
    ["docs/targets.md", `- ${config}: \`spec.config\``],
    ["docs/targets.md", `- ${userConfig}: \`spec.userConfig\``],
    ["docs/targets.md", `- 1 to ${app.maxPriority}, default ${list(app)}: an entry of \`spec.extraConfigs\``],
    [
      "docs/targets.md",
      `default ${app.defaultPriority}: an entry of \`spec.extraConfigs\`, a layer annotated`,
    ],
    [
      "docs/targets.md",
      `priority ${list(release)} to ${release.maxPriority} (default ${release.defaultPriority}): above **all** entries`,
    ],
    ["docs/targets.md", `an entry of \`spec.valuesFrom\`: ${list(release)}, in list order`],
    ["docs/targets.md", `(1 to ${inPlace.maxPriority}, default ${inPlace.defaultPriority})`],
    ...unseen.map((each) => ["docs/targets.md", `- **${each}`] as const),
    [
      "docs/not-folded.md",
      `${app.defaultPriority} for an App, ${release.defaultPriority} for a HelmRelease, ${inPlace.defaultPriority} for a ConfigMap or Secret`,
    ],
    ["docs/settings.md", `a ConfigMap of priority ${list(release)}; its name`],
    [
      "docs/faults.md",
      `in the range of its target's kind (App 1 to ${app.maxPriority}, HelmRelease 1 to ${release.maxPriority})`,
    ],
    ["docs/repeat.md", `an App (priority ${app.maxPriority}) or a HelmRelease (${release.maxPriority})`],
  ];
}

function missedBy(facts: Kinds): readonly string[] {
  return sentencesOf(facts).flatMap(([page, sentence]) => {
    const text = readFileSync(new URL(`../${page}`, import.meta.url), "utf8");
    return text.includes(sentence) ? [] : `${page}: ${sentence}`;
  });
}

test("pages have the figures of the code", () => {
  expect(missedBy(kinds)).toEqual([]);
});

test.for([
  ["App's default", { ...kinds, app: { ...kinds.app, defaultPriority: appKind.defaultPriority + 5 } }],
  [
    "HelmRelease's highest",
    { ...kinds, release: { ...kinds.release, maxPriority: helmReleaseKind.maxPriority - 1 } },
  ],
  [
    "a ConfigMap's default",
    { ...kinds, inPlace: { ...kinds.inPlace, defaultPriority: kinds.inPlace.defaultPriority + 1 } },
  ],
  ["a data key", { ...kinds, release: { ...kinds.release, dataKey: "other.yaml" } }],
] as const)("%s: a page that does not follow is found", ([, changed]) => {
  expect(missedBy(changed)).not.toEqual([]);
});
