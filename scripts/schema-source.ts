// The published schemas, from the one source of settings.
import { toJsonSchema } from "@valibot/to-json-schema";
import { stringify } from "yaml";
import manifest from "../package.json" with { type: "json" };
import { anyLabels, labelsInJsonSchema } from "../src/settings/labels.ts";
import { anySchema, inlineInJsonSchema } from "../src/settings/inline-schema.ts";
import { Checkout } from "../src/settings/checkout.ts";
import { Settings } from "../src/settings/settings.ts";
import { checkoutFile } from "../src/settings/defaults.ts";
import { LayoutSchema } from "../src/render/schema.ts";
import { RenderSpec } from "../src/render/settings.ts";
import { RepeatSpec } from "../src/repeat/schema.ts";
import { schemaHead } from "./schema-head.ts";

function specSchema(ignoreActions: string[]) {
  const { $schema: _, ...schema } = toJsonSchema(Settings, {
    errorMode: "ignore",
    typeMode: "input",
    ignoreActions,
    overrideSchema: ({ valibotSchema }) =>
      valibotSchema === anyLabels
        ? labelsInJsonSchema
        : valibotSchema === anySchema
          ? inlineInJsonSchema
          : null,
  });
  return schema;
}

/** @param ignoreActions parts of settings without a form: OpenAPI 3.0 has no `examples` */
function configSchema(ignoreActions: string[] = []) {
  return {
    type: "object",
    required: ["apiVersion", "kind"],
    properties: {
      apiVersion: { type: "string", enum: ["valuefold.dev/v1alpha1"] },
      kind: { type: "string", enum: ["ValueFold"] },
      metadata: { type: "object" },
      spec: specSchema(ignoreActions),
    },
    additionalProperties: false,
  };
}

/** Of a ValueFoldRender. */
export function renderSchema(): string {
  const options = {
    errorMode: "ignore",
    typeMode: "input",
    overrideSchema: ({ valibotSchema }: { readonly valibotSchema: unknown }) =>
      valibotSchema === anyLabels ? labelsInJsonSchema : null,
  } as const;
  const { $schema: _, ...spec } = toJsonSchema(RenderSpec, options) as {
    readonly $schema: string;
    readonly properties: Record<string, object>;
  };
  const { $schema: __, ...layers } = toJsonSchema(LayoutSchema, options);
  const instances = { type: "object", additionalProperties: labelsInJsonSchema };
  const properties = {
    ...spec.properties,
    schema: { ...spec.properties["schema"], anyOf: [{ type: "string" }, layers] },
    instances: { ...spec.properties["instances"], ...instances },
  };
  const whole = {
    ...schemaHead("render", "ValueFoldRender"),
    type: "object",
    required: ["apiVersion", "kind", "metadata", "spec"],
    properties: {
      apiVersion: { type: "string", enum: ["valuefold.dev/v1alpha1"] },
      kind: { type: "string", enum: ["ValueFoldRender"] },
      metadata: { type: "object", required: ["name"] },
      spec: { ...spec, properties },
    },
  };
  return `${JSON.stringify(whole, null, 2)}\n`;
}

/** Of a ValueFold: a function config, or the file of a checkout, which has `checkout` besides. */
export function jsonSchema(): string {
  const { $schema: _, ...checkout } = toJsonSchema(Checkout, { errorMode: "ignore", typeMode: "input" });
  const config = configSchema();
  const { spec } = config.properties;
  const whole = {
    ...spec,
    properties: {
      ...spec.properties,
      checkout: { description: aboutCheckout, examples: [{ ignore: ["archive"], helm: 4 }], ...checkout },
    },
  };
  const properties = { ...config.properties, spec: whole };
  const schema = { ...schemaHead("valuefold", "ValueFold"), ...config, properties };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

const aboutCheckout = `In \`${checkoutFile}\` only, at the top of a repository: what the checkout is.`;

/** The kind Repeat, an item of the list. */
export function repeatSchema(): string {
  const { $schema: _, ...spec } = toJsonSchema(RepeatSpec, { errorMode: "ignore", typeMode: "input" });
  const schema = {
    ...schemaHead("repeat", "Repeat"),
    type: "object",
    required: ["apiVersion", "kind", "metadata", "spec"],
    properties: {
      apiVersion: { type: "string", enum: ["valuefold.dev/v1alpha1"] },
      kind: { type: "string", enum: ["Repeat"] },
      metadata: { type: "object" },
      spec,
    },
    additionalProperties: false,
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

const image = `${manifest.config.image}:${manifest.version}`;
const tags = ["mutator", "configmap", "secret", "values"];

/** What kpt's catalogue of functions asks of each. */
export function kptMetadata(): string {
  return stringify({
    image,
    description: manifest.description,
    tags,
    license: manifest.license,
    hidden: false,
  });
}

/** KRMFunctionDefinition (config.kubernetes.io/v1alpha1). */
export function functionDefinition(): string {
  return stringify({
    apiVersion: "config.kubernetes.io/v1alpha1",
    kind: "KRMFunctionDefinition",
    metadata: { name: "valuefold" },
    spec: {
      group: "valuefold.dev",
      names: { kind: "ValueFold" },
      description: manifest.description,
      publisher: "valuefold",
      tags,
      versions: [
        {
          name: "v1alpha1",
          schema: { openAPIV3Schema: configSchema(["examples"]) },
          idempotent: true,
          usage: "README.md",
          examples: ["examples/quickstart/README.md"],
          license: "Apache 2.0",
          // kustomize and kpt read the one that is asked for; the exec form names the program on the PATH itself.
          runtime: { container: { image }, exec: { platforms: [] } },
        },
      ],
    },
  });
}
