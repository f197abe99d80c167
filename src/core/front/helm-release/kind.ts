import type { TargetKind } from "../kind.ts";

/** The data key is Flux' default for a reference without one. */
export const helmReleaseKind = {
  kind: "HelmRelease",
  apiVersions: [
    "helm.toolkit.fluxcd.io/v2",
    "helm.toolkit.fluxcd.io/v2beta2",
    "helm.toolkit.fluxcd.io/v2beta1",
  ],
  defaultPriority: 75,
  maxPriority: 100,
  above: "only inline values are above: patch `spec.values` of the HelmRelease",
  dataKey: "values.yaml",
  waitsForKey: true,
  references: { slots: [], lists: ["valuesFrom"] },
} as const satisfies TargetKind;
