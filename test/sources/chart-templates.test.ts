// The templates of a chart are read once, for however many targets have the chart.
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fileDocument } from "../../src/explain/index.ts";
import { useEngine } from "../../src/engine/index.ts";
import { openPath } from "../../src/sources/disk.ts";
import { Charts } from "../../src/sources/helm/charts.ts";
import { RecordedEngine } from "../support/shared-engine.ts";

const engine = new RecordedEngine();
beforeAll(() => useEngine(engine.program));
afterAll(() => useEngine(undefined));

test("of one chart, for several targets", async () => {
  const from = mkdtempSync(join(tmpdir(), "valuefold-chart-"));
  mkdirSync(join(from, "templates"));
  writeFileSync(join(from, "Chart.yaml"), "apiVersion: v2\nname: shop\nversion: 1.0.0\n");
  writeFileSync(join(from, "templates/a.yaml"), "a: {{ .Values.replicas }}\n");
  openPath(from);
  const charts = new Charts({ from });
  const found = await Promise.all(
    ["one", "two", "three"].map(async (name) => {
      const bytes = Buffer.from("replica: 1\n");
      const { document } = fileDocument(bytes, { name, why: "file", state: "folded" });
      const { release } = await charts.over({ kind: "Chart", name, path: from, helm: 4 }, [document]);
      return (await release?.unread(["replica"]))?.near?.key;
    }),
  );
  expect(found).toEqual(["replicas", "replicas", "replicas"]);
  expect(engine.operations()).toEqual(["chart", "reads"]);
});
