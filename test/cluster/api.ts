// A small client of the API server: objects in, objects out.
import { readFileSync } from "node:fs";
import { request } from "node:https";

export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

interface Failure {
  readonly step: string;
  readonly code?: string;
  readonly subject?: string;
  readonly message: string;
  readonly at?: string;
  readonly hint?: string;
}

interface Artifact {
  readonly digest: string;
  readonly revision: string;
  readonly url: string;
  readonly path: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

interface Status {
  readonly conditions?: readonly Condition[];
  readonly failures?: readonly Failure[];
  readonly failureCount?: number;
  readonly misses?: readonly string[];
  readonly warnings?: number;
  readonly artifact?: Artifact & {
    readonly file: string;
    readonly items: number;
    readonly originRevision: string;
  };
  readonly lastAttemptedRevision?: string;
  readonly lastPublishedRevision?: string;
  readonly lastAppliedRevision?: string;
  readonly lastHandledReconcileAt?: string;
  readonly observedGeneration?: number;
}

export interface Entity {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly generation?: number;
    readonly resourceVersion?: string;
    readonly deletionTimestamp?: string;
    readonly finalizers?: readonly string[];
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec?: object;
  readonly data?: Readonly<Record<string, string>>;
  readonly status?: Status;
}

export class Refused extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

const kindsWithoutNamespace = new Set([
  "Namespace",
  "CustomResourceDefinition",
  "ClusterRole",
  "ClusterRoleBinding",
  "ValidatingAdmissionPolicy",
  "ValidatingAdmissionPolicyBinding",
]);

export class Api {
  private readonly server: string;
  private readonly token: string;
  private readonly ca: string;

  constructor(server: string, token: string, caFile: string) {
    this.server = server;
    this.token = token;
    this.ca = readFileSync(caFile, "utf8");
  }

  /** The same server for another user. @param caFile of the server */
  as(token: string, caFile: string): Api {
    return new Api(this.server, token, caFile);
  }

  call(method: string, path: string, body?: unknown, type = "application/json"): Promise<Entity> {
    return this.text(method, path, body, type).then((text) => JSON.parse(text) as Entity);
  }

  text(method: string, path: string, body?: unknown, type = "application/json"): Promise<string> {
    return new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${this.token}`, "content-type": type };
      const sent = request(this.server + path, { method, headers, ca: this.ca }, (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (part: string) => (text += part));
        response.on("end", () => {
          const { statusCode = 0 } = response;
          if (statusCode < 300) resolve(text);
          else reject(new Refused(statusCode, text));
        });
      });
      sent.on("error", reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  /** Server-side apply. */
  apply(object: Entity): Promise<Entity> {
    const path = `${pathOf(object)}?fieldManager=test&force=true`;
    return this.call("PATCH", path, object, "application/apply-patch+yaml");
  }

  /** A merge patch. @param part `/status` for the status */
  patch(object: Entity, change: object, part = ""): Promise<Entity> {
    return this.call("PATCH", pathOf(object) + part, change, "application/merge-patch+json");
  }

  get(object: Entity): Promise<Entity> {
    return this.call("GET", pathOf(object));
  }

  /** Undefined for an object that does not exist. */
  async find(object: Entity): Promise<Entity | undefined> {
    try {
      return await this.get(object);
    } catch (error) {
      if (error instanceof Refused && error.code === 404) return undefined;
      throw error;
    }
  }

  async list(object: Entity): Promise<readonly Entity[]> {
    const path = pathOf(object);
    const list = (await this.call("GET", path.slice(0, path.lastIndexOf("/")))) as unknown as {
      items: readonly Entity[];
    };
    return list.items;
  }

  delete(object: Entity): Promise<Entity> {
    return this.call("DELETE", pathOf(object));
  }
}

function pluralOf(kind: string): string {
  const lower = kind.toLowerCase();
  if (lower.endsWith("y")) return `${lower.slice(0, -1)}ies`;
  return lower.endsWith("s") ? `${lower}es` : `${lower}s`;
}

function pathOf({ apiVersion, kind, metadata: { name, namespace } }: Entity): string {
  const root = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const scope = kindsWithoutNamespace.has(kind) ? "" : `/namespaces/${namespace ?? "default"}`;
  return `${root}${scope}/${pluralOf(kind)}/${name}`;
}

export function conditionOf(object: Entity | undefined, type = "Ready"): Condition | undefined {
  return object?.status?.conditions?.find((each) => each.type === type);
}
