// The same fold as a function of the TypeScript KRM SDK (`kpt-functions`). Its types describe our contract;
// its `run()` reads and writes the wire, and loses what README.md lists. Use the plain program instead: this
// shows what the SDK costs.
import { type Configs, type KptFunc, type KubernetesObject, run } from "kpt-functions";
import { foldSync } from "valuefold";

export const valuefold: KptFunc = async (configs: Configs): Promise<void> => {
  const items = configs.getAll();
  const functionConfig = configs.getFunctionConfig();
  const list = { apiVersion: "config.kubernetes.io/v1", kind: "ResourceList", items, ...(functionConfig ? { functionConfig } : {}) };
  const { output, diagnostics } = foldSync({ input: JSON.stringify(list), form: "resource-list" });
  const folded = JSON.parse(Buffer.from(output).toString("utf8")) as { items: KubernetesObject[] };
  configs.deleteAll();
  configs.insert(...folded.items);
  const severities = { error: "error", warning: "warn", info: "info" } as const;
  configs.addResults(...diagnostics.map(({ message, severity }) => ({ message, severity: severities[severity] })));
};

valuefold.usage = "Folds layered values into one document per app.";

void run(valuefold);
