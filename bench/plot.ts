// The plot: wall time and peak memory over the number of Apps, as multiples of the copy loop's.
import type { Taken } from "./timing.ts";
import type { WorkloadRow } from "./workload-rows.ts";

const colours = new Map([
  ["valuefold", "#d1242f"],
  ["Go", "#0969da"],
  ["kpt SDK, yaml", "#8250df"],
  ["kpt SDK, js-yaml", "#1a7f37"],
]);

interface Panel {
  readonly title: string;
  readonly left: number;
  readonly measure: keyof Taken;
  /** The powers of ten that the axis begins and ends with. */
  readonly from: number;
  readonly to: number;
}

const top = 56;
const height = 250;
const width = 330;
/** The powers of ten of the number of Apps. */
const most = 4;

export function plot(rows: readonly WorkloadRow[]): string {
  const shown = rows.filter(({ apps, rounds }) => apps !== undefined && rounds > 0);
  const wall = panel(
    { title: "wall time, × copy loop", left: 60, measure: "wallMs", from: -1, to: 3 },
    shown,
  );
  const peak = panel(
    { title: "peak memory, × copy loop", left: 460, measure: "peakMiB", from: -1, to: 2 },
    shown,
  );
  const legend = [...colours].map(
    ([name, colour], at) =>
      `<rect x="${60 + at * 150}" y="14" width="12" height="12" fill="${colour}"/>${text(78 + at * 150, 24, name, "start")}`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 820 360" font-family="sans-serif" font-size="12" role="img" aria-label="Wall time and peak memory of valuefold and its peers, as multiples of a copy loop's, from 1 to 10,000 Apps">
<rect width="820" height="360" fill="#ffffff"/>
${[...legend, wall, peak].join("\n")}
</svg>
`;
}

function panel(shape: Panel, rows: readonly WorkloadRow[]): string {
  const { title, left, from, to } = shape;
  const powers = Array.from({ length: to - from + 1 }, (_none, at) => from + at);
  const across = powers.map((power) => {
    const y = yOf(10 ** power, shape);
    return `<line x1="${left}" y1="${y}" x2="${left + width}" y2="${y}" stroke="#d0d7de"/>${text(left - 6, y + 4, String(10 ** power), "end")}`;
  });
  const below = [0, 1, 2, 3, most].map((power) =>
    text(xOf(10 ** power, shape), top + height + 18, (10 ** power).toLocaleString("en"), "middle"),
  );
  const titles = [
    text(left, top - 8, title, "start"),
    text(left + width / 2, top + height + 38, "Apps of three layers each", "middle"),
  ];
  const lines = [...colours].map(([name, colour]) => curve(pointsOf(name, shape, rows), colour));
  return [...across, ...below, ...titles, ...lines].join("\n");
}

/** A program's own medians over the copy loop's. */
function pointsOf(program: string, shape: Panel, rows: readonly WorkloadRow[]): string[] {
  return rows.flatMap(({ apps = 1, cells }) => {
    const of = (name: string): number | undefined =>
      cells.find((cell) => cell.program === name)?.median?.[shape.measure];
    const [own, copy] = [of(program), of("copy loop")];
    if (own === undefined || copy === undefined) return [];
    return `${xOf(apps, shape)},${yOf(own / copy, shape)}`;
  });
}

function curve(points: readonly string[], colour: string): string {
  const dots = points.map((point) => {
    const [x, y] = point.split(",");
    return `<circle cx="${x}" cy="${y}" r="3" fill="${colour}"/>`;
  });
  return `<polyline points="${points.join(" ")}" fill="none" stroke="${colour}" stroke-width="2"/>${dots.join("")}`;
}

const xOf = (apps: number, { left }: Panel): number => rounded(left + (width * Math.log10(apps)) / most);

const yOf = (value: number, { from, to }: Panel): number =>
  rounded(top + (height * (to - Math.log10(value))) / (to - from));

const rounded = (pixels: number): number => Math.round(pixels * 10) / 10;

const text = (x: number, y: number, content: string, anchor: string): string =>
  `<text x="${x}" y="${y}" text-anchor="${anchor}" fill="#1f2328">${content}</text>`;
