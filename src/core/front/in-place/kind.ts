import type { TargetKind } from "../kind.ts";

const inPlace = {
  apiVersions: ["v1"],
  defaultPriority: 50,
  maxPriority: 150,
  dataKey: "",
  inPlace: true,
} as const;

export const configMapKind = { kind: "ConfigMap", ...inPlace } as const satisfies TargetKind;
export const secretKind = { kind: "Secret", ...inPlace } as const satisfies TargetKind;
