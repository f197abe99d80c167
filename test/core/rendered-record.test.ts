// The record of a rendered item reads back, and never grows beyond what an annotation may hold.
import { expect, test } from "vitest";
import { readRendered, writeRendered } from "../../src/krm/rendered-record.ts";

const lines = (count: number): { line: number; file: string; from: number }[] =>
  Array.from({ length: count }, (_, index) => ({
    line: index + 1,
    file: "values.yaml",
    from: 2 * index + 1,
  }));

test("a record reads back", () => {
  const segments = [
    ...lines(3),
    { line: 4, file: "a.yaml" },
    { line: 5, file: "a.yaml", from: 2, isFixed: true },
  ];
  const overridden = [
    { line: 1, file: "b.yaml", from: 3 },
    { line: 1, file: "values.yaml" },
  ];
  expect(readRendered(writeRendered(["values.yaml"], segments, overridden))).toEqual({
    files: ["values.yaml", "a.yaml", "b.yaml"],
    segments: segments.map((each) => ("from" in each ? { isFixed: false, ...each } : each)),
    overridden: [{ ...overridden[0], isFixed: false }, overridden[1]],
  });
});

test("a record that is too large leaves out what is overridden, and then its lines", () => {
  const sizes = [
    [10, 10],
    [10, 10_000],
    [10_000, 10],
  ] as const;
  const kept = sizes.map(([segments, overridden]) => {
    const record = readRendered(writeRendered([], lines(segments), lines(overridden)));
    return [record?.segments.length, record?.overridden.length, record?.files.length];
  });
  expect(kept).toEqual([
    [10, 10, 1],
    [10, 0, 1],
    [0, 0, 1],
  ]);
});

test.for(["", "[]", '{"files": ["a"]}', '{"files": ["a"], "lines": 1, "over": []}'])(
  "no record: %s",
  (text) => {
    expect(readRendered(text)).toBeUndefined();
  },
);

test("what any user may write into it is passed over", () => {
  const record = readRendered(
    '{"files": ["a", 1], "lines": [[1, 0, 1], [1], "x", [0, 0, 1], [1, 9, 1]], "over": [[1, 0, 2], [1, "0", 2]]}',
  );
  expect([record?.segments.length, record?.overridden.length]).toEqual([1, 1]);
  expect(readRendered('{"files": [], "lines": [], "over": 1}')?.overridden).toEqual([]);
});
