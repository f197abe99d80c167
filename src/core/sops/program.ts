// The `sops` program: ciphertext in by stdin, plain text out by stdout, and back. An effect; the core asks for it.
import type { SopsFault } from "../../layers/index.ts";
import { type Limits, runProgram } from "./child.ts";
import type { SealedText, Recipients, SopsOutcome } from "./need.ts";
import { environmentOf } from "./environment.ts";
import { type Environment, keysIn, type Runner } from "./keys.ts";

export interface Sops {
  open(documents: readonly SealedText[]): Promise<SopsOutcome[]>;
  /** Seals manifests, given as JSON: every value under `data` and `stringData`. */
  seal(manifests: readonly Uint8Array[], recipients: Recipients): Promise<SopsOutcome[]>;
}

/** What SOPS, gpg and the clouds that keep keys read. Other variables of a job are not theirs. */
const read =
  /^(?:(?:SOPS|AWS|AZURE|ARM|MSI|IDENTITY|GOOGLE|GCLOUD|CLOUDSDK|VAULT|HUAWEICLOUD|ALIBABA|GNUPG|GPG|PINENTRY|XDG|DBUS|SSL_CERT)_?\w*|DISPLAY|WAYLAND_DISPLAY|SSH_AUTH_SOCK|(?:HTTPS?|NO|ALL)_PROXY)$/i;

const timeLimitMs = 60_000;
/** Cleaning up must be short: a caller who ends us does not wait long. */
const cleaningLimitMs = 5_000;
/** How many sops processes run at a time. */
const width = 4;

/** Provided by the process edge: the signal that the process is to end, and the power to end a process group. */
export type Edge = Pick<Limits, "stop" | "endGroup">;

/** @param keys folder of keys, as `sops.keys` names it */
export function sopsWith(env: Environment, keys?: string, limitMs = timeLimitMs, edge: Edge = {}): Sops {
  const limits = { ...edge, ms: limitMs };
  const inRing = async (
    count: number,
    work: (ring: Environment) => Promise<SopsOutcome[]>,
  ): Promise<SopsOutcome[]> => {
    const ring = await keysIn(keys, env, runnersWith(limits)).catch(() => undefined);
    if (ring === undefined) return Array.from({ length: count }, () => ({ fault: "no-folder" }));
    try {
      return await work({ ...environmentOf(env, read), ...ring.env });
    } finally {
      await ring.remove();
    }
  };
  return {
    open: (documents) =>
      inRing(documents.length, (ring) =>
        inTurns(documents, (each) => run(openArguments(each), each.text, ring, limits)),
      ),
    seal: (manifests, recipients) =>
      inRing(manifests.length, (ring) =>
        inTurns(manifests, (each) => run(sealArguments(recipients), each, withoutRecipients(ring), limits)),
      ),
  };
}

function runnersWith(limits: Limits): { run: Runner; clean: Runner } {
  const runner = (own: Limits): Runner => {
    return async (command, env) => (await runProgram(command, env, own)).status === "done";
  };
  return { run: runner(limits), clean: runner({ ms: cleaningLimitMs }) };
}

function openArguments({ input, output, verified }: SealedText): string[] {
  const formats = ["--input-type", input, "--output-type", output];
  return ["--config", "/dev/null", "decrypt", ...(verified ? [] : ["--ignore-mac"]), ...formats];
}

function sealArguments({ age = [], pgp = [] }: Recipients): string[] {
  // No creation rule of the working directory may change what is sealed, and for whom.
  const formats = ["--input-type", "json", "--output-type", "json", "--filename-override", "secret.json"];
  const whom = [
    ...(age.length === 0 ? [] : ["--age", age.join(",")]),
    ...(pgp.length === 0 ? [] : ["--pgp", pgp.join(",")]),
  ];
  return [
    "--config",
    "/dev/null",
    // The MAC does not cover what kustomize renames and labels afterwards, so it stays valid.
    "--mac-only-encrypted",
    "encrypt",
    ...formats,
    "--encrypted-regex",
    "^(data|stringData)$",
    ...whom,
  ];
}

/** SOPS takes further recipients from these. */
const recipientVariables = [
  "SOPS_AGE_RECIPIENTS",
  "SOPS_PGP_FP",
  "SOPS_KMS_ARN",
  "SOPS_GCP_KMS_IDS",
  "SOPS_HUAWEICLOUD_KMS_IDS",
  "SOPS_AZURE_KEYVAULT_URLS",
  "SOPS_VAULT_URIS",
];

function withoutRecipients(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !recipientVariables.includes(name)));
}

async function run(
  args: readonly string[],
  input: Uint8Array,
  env: Environment,
  limits: Limits,
): Promise<SopsOutcome> {
  const { status, exitCode, output } = await runProgram(["sops", ...args], env, limits, input);
  if (status === "done") return { text: output };
  return { fault: status === "failed" ? (faults.get(exitCode ?? -1) ?? "failed") : status };
}

/** Exit statuses of sops (cmd/sops/codes). */
const faults: ReadonlyMap<number, SopsFault> = new Map([
  [1, "malformed"],
  [2, "malformed"],
  [25, "tampered"],
  [51, "tampered"],
  [52, "tampered"],
  [128, "no-key"],
]);

async function inTurns<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < all.length; index = next++) results[index] = await work(all[index] as T);
  };
  await Promise.all(Array.from({ length: Math.min(width, all.length) }, worker));
  return results;
}
