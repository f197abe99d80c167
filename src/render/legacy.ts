// The layout that ManagementClusterConfiguration means: konfigure had it built in before there were schemas.
import type * as v from "valibot";
import type { LayoutSchema } from "./schema.ts";

export const legacyVariables = { cluster: "installation", app: "app" } as const;
/** Each folder in it is an app. */
export const legacyApps = "default/apps";

const apps = { directory: "apps/<< app >>", required: false };
const own = { merge: { strategy: "SameTypeFromCurrentLayer" } };
const all = { merge: { strategy: "ConfigMapsInLayerOrder" } };

export const legacySchema: v.InferInput<typeof LayoutSchema> = {
  variables: [
    { name: "installation", required: true },
    { name: "app", required: true },
  ],
  layers: [
    {
      id: "default",
      path: { directory: "default", required: true },
      values: { configMap: { name: "config.yaml", required: true } },
      templates: {
        path: { ...apps, required: true },
        configMap: { name: "configmap-values.yaml.template", required: true, values: all },
        secret: {
          name: "secret-values.yaml.template",
          values: { merge: { strategy: "ConfigMapsAndSecretsInLayerOrder" } },
        },
      },
    },
    {
      id: "installation",
      path: { directory: "installations/<< installation >>", required: true },
      values: { configMap: { name: "config.yaml.patch" }, secret: { name: "secret.yaml" } },
      templates: {
        path: apps,
        configMap: { name: "configmap-values.yaml.patch", values: all },
        secret: { name: "secret-values.yaml.patch", values: own },
      },
    },
  ],
  includes: [
    {
      id: "include",
      function: { name: "include" },
      path: { directory: "include" },
      extension: ".yaml.template",
    },
    {
      id: "include-self",
      function: { name: "includeSelf" },
      path: { directory: "include-self" },
      extension: ".yaml.template",
    },
  ],
};
