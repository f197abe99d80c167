import type { TargetKind } from "../kind.ts";

/** Components of Kyma: their layers are ConfigMaps and Secrets labelled `installer: overrides`. */
export const kymaKind = {
  kind: "Kyma",
  apiVersions: [],
  defaultPriority: 0,
  maxPriority: Number.MAX_SAFE_INTEGER,
  dataKey: "values.yaml",
  stackPerKind: true,
  withoutItem: true,
  layerLabel: "installer",
} as const satisfies TargetKind;
