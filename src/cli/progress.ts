// A line on a terminal about what is being done, once that takes longer than people like to wait. It is replaced in place, and
// gone before anything else is written.

/** Half a second without a sign is a silence. */
const quietMs = 500;
const betweenMs = 100;

/** The clock and the terminal. */
export interface ProgressEdge {
  readonly write: (text: string) => void;
  /** The width of the terminal: a longer line could not be replaced. */
  readonly columns: number;
  readonly now: () => number;
  /** Calls `work` later, unless the process ends before. */
  readonly later: (work: () => void, ms: number) => { readonly cancel: () => void };
}

/** @returns shows a line soon, unless a newer one comes; an empty one clears the line for good */
export function progressBy({ write, columns, now, later }: ProgressEdge): (line: string) => void {
  let next = now() + quietMs;
  let waiting: { readonly cancel: () => void } | undefined;
  let latest = "";
  let isShown = false;
  const show = (): void => {
    waiting = undefined;
    next = now() + betweenMs;
    isShown = true;
    write(`${clear}${latest.slice(0, columns - 1)}`);
  };
  return (line) => {
    latest = line;
    waiting?.cancel();
    waiting = undefined;
    if (line !== "" && now() >= next) show();
    else if (line !== "") waiting = later(show, next - now());
    else if (isShown) {
      isShown = false;
      write(clear);
    }
  };
}

const clear = "\r\u001b[2K";
