// What commands get from the process, and what they leave for it.
import type { Account, Outcome } from "../report/index.ts";
import type { FoldInput, Steps } from "../core/index.ts";
import type { NamedChart, RenderInvocation, Tidily, Workspace } from "../sources/index.ts";
import type { Diagnostic } from "../diagnostic.ts";
import type { ValuesRequest } from "../explain/index.ts";

/** What a run leaves: an exit status, the parts of stdout, text for stderr. */
export interface Ending {
  readonly exitCode: number;
  readonly output: Outcome["output"];
  readonly messages: string;
  /** The end of the messages that is about the output, and is printed below it. */
  readonly closing?: string;
}

/** What a command makes. Its flags say in which form the diagnostics are printed, and where the output goes. */
export interface CommandResult {
  readonly exitCode: number;
  readonly output: Outcome["output"];
  readonly diagnostics: readonly Diagnostic[];
  readonly account?: () => Account;
  /** True if the command has no output but its report. */
  readonly isReport?: boolean;
}

/** The exit status of `--exit-code` where something could not be compared: 1 says that values differ. */
export const uncompared = 2;

/** That of `values --strict` where something is not seen. */
export const incomplete = 3;

export interface Io {
  /** All of stdin. */
  readonly stdin: () => Uint8Array;
  readonly fold: (request: FoldInput) => Promise<Outcome>;
  readonly values: (request: ValuesRequest) => Promise<Outcome>;
  readonly render: (invocation: RenderInvocation) => Promise<Outcome>;
  /** Runs steps with what they need of SOPS. */
  readonly supplied: <T>(steps: Steps<T>) => Promise<T>;
  /** Called with an input before the work on it begins. */
  readonly prepare: (input: Uint8Array) => Promise<void>;
  readonly tidily: Tidily;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The directory that relative names of files start from. */
  readonly directory: string;
  /** Which of stdin and stdout are terminals. Absent in the program, since Node's own module for it is slow to load. */
  readonly terminal?: { readonly stdin: boolean; readonly stdout: boolean };
  /** The width of the terminal that shows stdout, 80 if it does not know; undefined if stdout is not a terminal. */
  readonly outputColumns?: number;
  /** The width of the terminal that shows stderr; undefined if stderr is not a terminal. */
  readonly errorColumns?: number | undefined;
  /** Shows a line on a terminal's stderr in place of the one before; an empty one clears it. Absent without a terminal. */
  readonly progress?: (line: string) => void;
  /** The charts that flags of the command name. */
  readonly charts?: readonly NamedChart[];
  /** Called with the settings of each checkout that is read. */
  readonly onSettings?: Workspace["onSettings"];
  /** The executable that runs; undefined for a script that Node runs. */
  readonly executable: () => string | undefined;
}
