// Repeats that run again: on their own output, behind overlays that took something out, with settings that prune.
import { describe, expect, test } from "vitest";
import { foldText, itemsOnly } from "./support/fold.ts";
import { listOf, streamOf } from "./support/repeat-texts.ts";

const instances = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: inst}\ndata:\n  i.yaml: 'a: {x: 1}'\n";
const release =
  "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: h}\nspec: {interval: 1m}\n";
const clone = '{kind: HelmRelease, name: h, as: "h-{name}", values: "{value}"}';
const layerInto = (name: string, target: string, text: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, annotations: {valuefold.dev/into: ${target}}}\ndata: ${text}\n`;

describe("settings that prune layers", () => {
  const config =
    "apiVersion: valuefold.dev/v1alpha1\nkind: ValueFold\nmetadata: {name: f}\nspec: {layers: prune}\n";
  const items = streamOf(
    "from: {kind: ConfigMap, name: inst}",
    clone,
    instances,
    release,
    layerInto("more", "ConfigMap/inst", "{i.yaml: 'b: {x: 2}'}"),
  ).split("---\n");

  test("leave the layers of clones, which would come back, and give the same bytes again", () => {
    const first = foldText(listOf(...items), config);
    expect([first.exitCode, first.messages]).toEqual([0, ""]);
    expect(first.output).not.toContain("name: more");
    expect(first.output).toMatch(/local-config: "true"\n *data:\n *values.yaml: \|\n *\{x: 2\}/);
    expect(itemsOnly(foldText(first.output, config).output)).toBe(itemsOnly(first.output));
  });
});

describe("layers into clones that are yet to be made", () => {
  test("are no orphans while it is found out what instances are", () => {
    const input = streamOf(
      "from: {kind: ConfigMap, name: inst}",
      clone,
      instances,
      release,
      layerInto("more", "ConfigMap/inst", "{i.yaml: 'b: {x: 2}'}"),
      layerInto("own", "HelmRelease/h-b", "{values.yaml: 'y: 3'}"),
    );
    expect(foldText(input).output).toContain("y: 3\n    x: 2\n");
    const orphan = foldText(input.replace("h-b", "h-c"));
    expect(orphan.diagnostics.map(({ code }) => code)).toEqual(["orphan-layer"]);
  });
});
