// What questions about values are given, and what they leave behind.
import type { Outcome, Steps } from "../core/index.ts";
import type { Tidily } from "./build.ts";
import type { Configured } from "./schemas.ts";

/** What a run leaves behind: an exit status, the parts of stdout, text for stderr. */
export type Ending = Pick<Outcome, "output" | "messages"> & { readonly exitCode: number };

export interface Asking {
  /** All of stdin. */
  readonly stdin: () => Uint8Array;
  /** Runs steps with what they need of SOPS. */
  readonly supplied: <T>(steps: Steps<T>) => Promise<T>;
  /** Told of an input before the work on it begins. */
  readonly prepare: (input: Uint8Array) => Promise<void>;
  readonly tidily: Tidily;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The directory that names of files are told from. */
  readonly directory: string;
  /** Which of stdin and stdout are terminals. */
  readonly terminal: { readonly stdin: boolean; readonly stdout: boolean };
  /** What is said of an outcome, in the form that was asked for. */
  readonly messagesOf: (outcome: Outcome) => string;
  /** The function config, where one was named, and schemas. */
  readonly config: Configured;
}
