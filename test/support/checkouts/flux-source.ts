// The source of a random checkout of Flux: a git repository or an OCI artifact, of all of it or of a folder, and what names it.
import type { Draft } from "./draft.ts";

export class FluxSource {
  private readonly draft: Draft;
  private readonly top: string;
  readonly kind: "GitRepository" | "OCIRepository";
  private readonly repository: string;

  constructor(draft: Draft, top: string, kind: "GitRepository" | "OCIRepository", repository: string) {
    this.draft = draft;
    this.top = top;
    this.kind = kind;
    this.repository = repository;
  }

  /** A path in the checkout. @param path from the top of the source */
  at(path: string): string {
    return `${this.top}${path}`;
  }

  /** As users write a path: `..` stops at the top of the source. */
  spelled(path: string): string {
    const { random } = this.draft;
    return this.draft.has("dots in path", 5)
      ? random.pick([`../${path}`, `./clusters/../${path}`, `../../${path}`])
      : random.pick([`./${path}`, path, `./${path}/`]);
  }

  object(name: string): string {
    const reference = this.kind === "GitRepository" ? "  ref: {branch: main}" : "  ref: {tag: latest}";
    return [
      "apiVersion: source.toolkit.fluxcd.io/v1",
      `kind: ${this.kind}`,
      `metadata: {name: ${name}, namespace: flux-system}`,
      "spec:",
      "  interval: 1m0s",
      reference,
      `  url: ${this.url()}`,
    ].join("\n");
  }

  sync(name: string, path: string, source: string, more: readonly string[] = []): string {
    return [
      "apiVersion: kustomize.toolkit.fluxcd.io/v1",
      "kind: Kustomization",
      `metadata: {name: ${name}, namespace: flux-system}`,
      "spec:",
      "  interval: 10m0s",
      `  path: ${path}`,
      "  prune: true",
      `  sourceRef: {kind: ${this.kind}, name: ${source}}`,
      ...more,
    ].join("\n");
  }

  instance(path: string): string {
    return [
      "apiVersion: fluxcd.controlplane.io/v1",
      "kind: FluxInstance",
      "metadata: {name: flux, namespace: flux-system}",
      "spec:",
      "  distribution: {version: 2.x, registry: ghcr.io/fluxcd}",
      `  sync: {kind: ${this.kind}, url: "${this.url()}", ref: refs/heads/main, path: "${path}"}`,
    ].join("\n");
  }

  private url(): string {
    return this.kind === "GitRepository"
      ? this.draft.url(this.repository)
      : `oci://registry.example/${this.repository}`;
  }
}
