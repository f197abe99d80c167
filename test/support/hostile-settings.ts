// Settings of a checkout that lead out of it, or that take long.
import { join } from "node:path";
import type { Draft, Fields } from "./hostile-draft.ts";

export function settings(draft: Draft): void {
  const file = ".valuefold.yaml";
  const config = (spec: Fields): object => ({
    apiVersion: "valuefold.dev/v1alpha1",
    kind: "ValueFold",
    spec,
  });
  const checkout = (fields: Fields): Fields => ({ checkout: fields });
  const attacks: Readonly<Record<string, () => Fields>> = {
    chart: () => checkout({ charts: [{ name: "shop", path: draft.out(".", "chart") }] }),
    clusters: () => checkout({ clusters: draft.text(".") }),
    folder: () => checkout({ sources: [{ url: draft.address("r.git"), folder: draft.out(".", "app") }] }),
    schema: () => ({ schemas: [{ file: draft.text(".") }] }),
    patterns: () => checkout({ ignore: Array.from({ length: 100 }, () => `${"**/*a*a*a*b/".repeat(80)}c`) }),
    link: () => {
      draft.links.set(file, join(draft.outside.folder, "gen.yaml"));
      return {};
    },
  };
  const after = config(attacks[draft.attack("settings", attacks)]?.() ?? {});
  if (!draft.links.has(file)) draft.json(file, config({ checkout: { helm: 4 } }), after);
  draft.commands.push(["explain", "--json", "-v"], ["verify", "-v"]);
}
