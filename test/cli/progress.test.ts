// The line about what is being done, on a clock of its own.
import { expect, test } from "vitest";
import { progressBy } from "../../src/cli/progress.ts";

interface Terminal {
  readonly progress: (line: string) => void;
  readonly pass: (ms: number) => void;
  readonly written: () => string;
}

function terminal(columns = 80): Terminal {
  let time = 0;
  let text = "";
  let timers: { readonly at: number; readonly work: () => void }[] = [];
  const progress = progressBy({
    columns,
    write: (part) => (text += part),
    now: () => time,
    later: (work, ms) => {
      const timer = { at: time + ms, work };
      timers.push(timer);
      return { cancel: () => (timers = timers.filter((each) => each !== timer)) };
    },
  });
  const pass = (ms: number): void => {
    time += ms;
    const due = timers.filter(({ at }) => at <= time);
    timers = timers.filter((each) => !due.includes(each));
    for (const { work } of due) work();
  };
  const written = (): string => {
    const own = text;
    text = "";
    return own;
  };
  return { progress, pass, written };
}

const clear = "\r\u001b[2K";

test("short work shows nothing", () => {
  const { progress, pass, written } = terminal();
  progress("building a (1 of 2)");
  pass(200);
  progress("building b (2 of 2)");
  pass(200);
  progress("");
  pass(1000);
  expect(written()).toBe("");
});

test("after half a second the newest line is shown, though no other one comes", () => {
  const { progress, pass, written } = terminal();
  progress("building a (1 of 2)");
  pass(200);
  progress("building b (2 of 2)");
  pass(299);
  expect(written()).toBe("");
  pass(1);
  expect(written()).toBe(`${clear}building b (2 of 2)`);
});

test("then lines replace each other, not too often, and the last one is cleared", () => {
  const { progress, pass, written } = terminal();
  pass(600);
  progress("a");
  expect(written()).toBe(`${clear}a`);
  progress("b");
  progress("c");
  expect(written()).toBe("");
  pass(100);
  expect(written()).toBe(`${clear}c`);
  progress("d");
  progress("");
  pass(500);
  expect(written()).toBe(clear);
  progress("");
  expect(written()).toBe("");
});

test("a line is not longer than the terminal is wide", () => {
  const { progress, pass, written } = terminal(10);
  pass(600);
  progress("building clusters/production");
  expect(written()).toBe(`${clear}building `);
});
