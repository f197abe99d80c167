import type { TargetKind } from "../kind.ts";

/** Default and bound of a priority: apiextensions-application v1alpha1. */
export const appKind = {
  kind: "App",
  apiVersions: ["application.giantswarm.io/v1alpha1"],
  defaultPriority: 25,
  maxPriority: 150,
  dataKey: "values",
  references: { slots: ["config", "userConfig"], lists: ["extraConfigs"] },
  stackPerKind: true,
} as const satisfies TargetKind;
