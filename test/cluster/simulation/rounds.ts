// Rounds of pushes to 20 objects of one source, with a controller that is killed now and then.
import { existsSync, readdirSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { conditionOf } from "../api.ts";
import { external, folded } from "../objects.ts";
import { until } from "../processes.ts";
import { type Replica, shortLease, type World } from "../world.ts";
import { memoryOf } from "./measure.ts";
import type { Sources } from "./sources.ts";

export const apps = Array.from({ length: 20 }, (_, index) => `app-${index}`);

interface State {
  readonly rss: number;
  readonly descriptors: number;
  readonly goroutines: number;
  /** Files of artifacts. */
  readonly stored: number;
  readonly temporary: number;
  readonly events: number;
}

export class Churn {
  kills = 0;
  private readonly world: World;
  private readonly sources: Sources;
  private readonly share: number;
  private replica: Replica;
  /** Status of an object that is not done. */
  private waiting: string | undefined;

  private constructor(world: World, sources: Sources, share: number, replica: Replica) {
    this.world = world;
    this.sources = sources;
    this.share = share;
    this.replica = replica;
  }

  /** @param share of rounds in which the controller is killed */
  static async start(world: World, sources: Sources, share: number): Promise<Churn> {
    for (const name of apps)
      await world.api.apply(
        folded(name, {
          sourceRef: { kind: "GitRepository", name: "fleet", namespace: "flux-system" },
          build: { path: `./apps/${name}` },
          retryInterval: "1h",
        }),
      );
    return new Churn(world, sources, share, await world.startReplica("controller", shortLease));
  }

  /** A push, which every fifth time is broken for all, and its end. What is published is served afterwards. */
  async round(round: number): Promise<void> {
    const revision = `push-${round}`;
    await this.sources.push("fleet", apps, revision, round % 5 === 0 ? "[broken" : revision);
    if (Math.random() < this.share) await this.kill();
    await until(
      async () => ((await this.isDone(revision)) ? true : undefined),
      () => `${revision}: ${this.waiting}\n${this.replica.log().slice(-4000)}`,
      120,
    );
  }

  /** While a push of 20 objects is folded, or shortly before or after. */
  private async kill(): Promise<void> {
    await pause(Math.random() * 2000);
    const port = Number(new URL(this.replica.url).port);
    await this.replica.stop("SIGKILL");
    this.kills++;
    this.replica = await this.world.startReplica("controller", shortLease, { port });
  }

  private async isDone(revision: string): Promise<boolean> {
    const found = await this.world.api.list(folded("x", {}));
    const isBroken = Number(revision.split("-")[1]) % 5 === 0;
    const first = found.find(
      (each) =>
        each.status?.lastAttemptedRevision?.endsWith(revision) !== true ||
        conditionOf(each)?.status !== (isBroken ? "False" : "True") ||
        conditionOf(each, "Reconciling")?.reason === "Progressing",
    );
    this.waiting = JSON.stringify(first?.status);
    return first === undefined;
  }

  /** Waits until all published artifacts are served as the ExternalArtifacts say. */
  served(): Promise<true> {
    return until(async () => ((await this.missing()) === 0 ? true : undefined), "all artifacts are served");
  }

  private async missing(): Promise<number> {
    const answers = await Promise.all(
      apps.map(async (name) => {
        const [object, announced] = await Promise.all([
          this.world.api.get(folded(name, {})),
          this.world.api.get(external(name)),
        ]);
        const { digest, url = "" } = announced.status?.artifact ?? {};
        return digest === object.status?.artifact?.digest && (await fetch(url)).status === 200;
      }),
    );
    return answers.filter((isServed) => !isServed).length;
  }

  async state(): Promise<State> {
    const { pid, metrics, storage, temporary } = this.replica;
    // It may have been started a moment ago.
    const text = await until(async () => (await fetch(metrics)).text(), "metrics");
    const kind = { apiVersion: "v1", kind: "Event", metadata: { name: "x", namespace: "apps" } };
    const count = (folder: string): readonly string[] =>
      existsSync(folder) ? (readdirSync(folder, { recursive: true }) as string[]) : [];
    return {
      rss: memoryOf(pid),
      descriptors: readdirSync(`/proc/${pid}/fd`).length,
      goroutines: Number(/^go_goroutines (\d+)/mu.exec(text)?.[1]),
      stored: count(storage).filter((name) => name.endsWith(".tar.gz")).length,
      temporary: count(temporary).length,
      events: (await this.world.api.list(kind)).length,
    };
  }

  /** Folders of controllers in the temporary folder: those of killed ones are removed. */
  runs(): number {
    return readdirSync(`${this.replica.temporary}/valuefold-controller`).length;
  }
}
