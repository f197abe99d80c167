// What tests do again and again: push and wait for the source, wait for a condition.
import { type Condition, conditionOf, type Entity } from "./api.ts";
import { configMap, gitSource } from "./objects.ts";
import { until } from "./processes.ts";
import type { World } from "./world.ts";

/** Pushes files and waits until the source has them. */
export async function push(world: World, files: Readonly<Record<string, string>>): Promise<string> {
  const pushed = world.repository.push(files);
  await until(async () => {
    const { status } = await world.api.get(gitSource(""));
    return status?.artifact?.revision.includes(pushed) === true ? true : undefined;
  }, "the source has the push");
  return pushed;
}

export function ready({ api }: World, object: Entity, seconds?: number): Promise<Entity> {
  let found: Entity | undefined;
  return until(
    async () => {
      found = await api.find(object);
      const isCurrent = found?.status?.observedGeneration === found?.metadata.generation;
      return isCurrent && conditionOf(found)?.status === "True" ? found : undefined;
    },
    () => `${object.kind} ${object.metadata.name} is ready: it has ${JSON.stringify(found?.status)}`,
    seconds,
  );
}

/** @param reason of the condition Ready, which is False */
export function failed({ api }: World, object: Entity, reason: string, seconds?: number): Promise<Failed> {
  return until(
    async () => {
      const found = await api.find(object);
      const condition = conditionOf(found);
      if (found === undefined || condition?.status !== "False" || condition.reason !== reason)
        return undefined;
      return { object: found, ready: condition };
    },
    `${object.kind} ${object.metadata.name} has failed: ${reason}`,
    seconds,
  );
}

interface Failed {
  readonly object: Entity;
  readonly ready: Condition;
}

/** Waits until a text is in the values of a target. */
export function applied({ api }: World, name: string, text: string, seconds?: number): Promise<Entity> {
  return until(
    async () => {
      const found = await api.find(configMap(name));
      return found?.data?.["values.yaml"]?.includes(text) === true ? found : undefined;
    },
    `${text} is applied to ${name}`,
    seconds,
  );
}

let requests = 0;

/** Asks the controller for a reconciliation, as `flux reconcile` does, and waits for its end. */
export async function reconcile({ api }: World, object: Entity): Promise<Entity> {
  const requested = `request-${++requests}`;
  await api.patch(object, {
    metadata: { annotations: { "reconcile.fluxcd.io/requestedAt": requested } },
  });
  return until(async () => {
    const found = await api.get(object);
    return found.status?.lastHandledReconcileAt === requested ? found : undefined;
  }, "the request is handled");
}

/** A Secret with a key, as it stands in a file, which the controller may read. */
export async function grantKeys({ api }: World, key: string): Promise<void> {
  const metadata = { name: "keys-of-valuefold", namespace: "apps" };
  const rbac = "rbac.authorization.k8s.io";
  const granting: readonly (Entity & Readonly<Record<string, unknown>>)[] = [
    {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "keys", namespace: "apps" },
      stringData: { "a.agekey": key },
    },
    {
      apiVersion: `${rbac}/v1`,
      kind: "Role",
      metadata,
      rules: [{ apiGroups: [""], resources: ["secrets"], resourceNames: ["keys"], verbs: ["get"] }],
    },
    {
      apiVersion: `${rbac}/v1`,
      kind: "RoleBinding",
      metadata,
      roleRef: { apiGroup: rbac, kind: "Role", name: metadata.name },
      subjects: [{ kind: "ServiceAccount", name: "valuefold-controller", namespace: "flux-system" }],
    },
  ];
  for (const each of granting) await api.apply(each);
}

/** For `spec.decryption`. */
export const decryption = { provider: "sops", secretRef: { name: "keys" } };
