// The words behind `diff`: two files, two directories, or two git revisions and the directories to compare.

export const diffForms = ["text", "json", "markdown"] as const;

export interface DiffInvocation {
  readonly command: "diff";
  readonly before: string;
  /** Absent where it is the work tree. */
  readonly after: string | undefined;
  /** Directories or files to compare in two revisions. */
  readonly files: readonly string[];
  readonly form: (typeof diffForms)[number];
  /** Whether differences are an exit status. */
  readonly exitCode: boolean;
  readonly enableExec: boolean;
}

interface Misused {
  readonly command: "misused";
  readonly message: string;
  readonly hint?: string;
}

interface Options {
  readonly json?: boolean | undefined;
  readonly format?: string | undefined;
  readonly "exit-code"?: boolean | undefined;
  readonly "enable-exec"?: boolean | undefined;
}

export function readDiff(
  [before, after, ...files]: readonly string[],
  options: Options,
): DiffInvocation | Misused {
  const { json = false, format = json ? "json" : "text" } = options;
  const form = diffForms.find((each) => each === format);
  if (form === undefined)
    return {
      command: "misused",
      message: `\`--format\`: expected ${diffForms.join(", ")}, got \`${format}\``,
    };
  if (before === undefined)
    return {
      command: "misused",
      message: "expected what to compare",
      hint: "two files, two directories, or git revisions: valuefold diff main HEAD overlays/*",
    };
  return {
    command: "diff",
    before,
    after,
    files,
    form,
    exitCode: options["exit-code"] === true,
    enableExec: options["enable-exec"] === true,
  };
}
