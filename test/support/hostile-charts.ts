// Charts whose files, subcharts and archives lead out of the checkout.
import { join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import type { Draft } from "./hostile-draft.ts";

export function chart(draft: Draft): void {
  const directory = draft.place("charts/c");
  chartAt(draft, directory);
  draft.both(`${directory}/values-prod.yaml`, "a: 2\n");
  if (draft.random.once(2)) {
    draft.note("chart values beside");
    draft.links.set(
      `${directory}/values-x.yaml`,
      draft.random.pick([
        join(draft.outside.folder, "v.yaml"),
        "/proc/self/environ",
        join(relative(directory, "."), ".git/config"),
      ]),
    );
  }
  draft.change(`${directory}/plain.tgz`, archive(draft, "plain"));
  const plain = "plain-values.yaml";
  draft.both(plain, "a: 3\n");
  draft.commands.push(
    ["explain", "--json", directory],
    ["explain", "--chart", directory, plain],
    ["explain", "--chart", `${directory}/plain.tgz`, plain],
    ["values", "--chart", directory, plain],
    ["verify", "--chart", directory, plain],
  );
}

export function chartAt(draft: Draft, directory: string): void {
  const name = directory.slice(directory.lastIndexOf("/") + 1);
  const own = { apiVersion: "v2", name, version: "1.0.0" };
  draft.both(`${directory}/values.yaml`, "a: 1\n");
  draft.both(`${directory}/templates/a.yaml`, "{{ .Values.a }}\n");
  draft.both(`${directory}/Chart.yaml`, JSON.stringify(own));
  const attacks: Readonly<Record<string, () => void>> = {
    none: () => undefined,
    linkedValues: () => linkOver(draft, `${directory}/values.yaml`, "values.yaml"),
    environValues: () => linkOver(draft, `${directory}/values.yaml`, "/proc/self/environ"),
    linkedChart: () => linkOver(draft, `${directory}/Chart.yaml`, "Chart.yaml"),
    linkedSchema: () => linkOver(draft, `${directory}/values.schema.json`, "values.schema.json"),
    schemaRef: () =>
      draft.change(
        `${directory}/values.schema.json`,
        JSON.stringify({
          $ref: draft.random.pick([
            `file://${draft.outside.folder}/values.schema.json`,
            draft.address("values.schema.json"),
            "../../../out/values.schema.json",
          ]),
        }),
      ),
    linkedTemplates: () =>
      draft.links.set(`${directory}/templates/more`, join(draft.outside.folder, "chart/templates")),
    linkedSubchart: () => draft.links.set(`${directory}/charts/sub`, join(draft.outside.folder, "chart")),
    linkedCharts: () => draft.links.set(`${directory}/charts`, draft.outside.folder),
    dependency: () =>
      draft.change(
        `${directory}/Chart.yaml`,
        JSON.stringify({
          ...own,
          dependencies: [
            {
              name: "sub",
              version: "1.0.0",
              repository: draft.random.pick([
                `file://${draft.outside.folder}/chart`,
                `file://${draft.out(directory, "chart")}`,
                draft.address("charts"),
              ]),
            },
          ],
        }),
      ),
    archive: () => draft.change(`${directory}/charts/sub-1.0.0.tgz`, archive(draft, "sub")),
    lint: () => draft.links.set(`${directory}/values-x.yaml`, join(draft.outside.folder, "v.yaml")),
  };
  attacks[draft.attack("chart", attacks)]?.();
}

function linkOver(draft: Draft, path: string, name: string): void {
  draft.files.delete(path);
  draft.links.set(
    path,
    name.startsWith("/") ? name : join(draft.random.pick([draft.outside.folder, draft.outside.home]), name),
  );
}

/** An archive of a chart with links, and with names that lead out. */
function archive(draft: Draft, name: string): Uint8Array {
  const { folder } = draft.outside;
  const entries: Tar[] = [
    { name: `${name}/Chart.yaml`, text: `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n` },
  ];
  const more = [
    () =>
      entries.push({
        name: `${name}/values.yaml`,
        link: draft.random.pick([
          `${folder}/values.yaml`,
          "/proc/self/environ",
          "../../../../out/values.yaml",
        ]),
      }),
    () =>
      entries.push(
        { name: `${name}/templates`, link: folder },
        { name: `${name}/templates/a.yaml`, text: "x" },
      ),
    () => entries.push({ name: `../../../../evil-values.yaml`, text: "leak: written\n" }),
    () => entries.push({ name: `${name}/../../../../evil.yaml`, text: "x" }),
    () => entries.push({ name: join(draft.outside.root, "evil-absolute"), text: "x" }),
    () => entries.push({ name: `${name}/values.yaml`, link: `${folder}/values.yaml`, isHard: true }),
  ];
  draft.random.pick(more)();
  entries.push({ name: `${name}/values.yaml`, text: "own: 1\n" });
  return gzipSync(tar(entries));
}

interface Tar {
  readonly name: string;
  readonly text?: string;
  readonly link?: string;
  readonly isHard?: boolean;
}

function tar(entries: readonly Tar[]): Uint8Array {
  const blocks = entries.flatMap(({ name, text = "", link, isHard = false }) => {
    const body = Buffer.from(text);
    const head = Buffer.alloc(512);
    const octal = (value: number, size: number): string => `${value.toString(8).padStart(size - 1, "0")}\0`;
    head.write(name.slice(0, 100), 0);
    head.write(octal(0o644, 8) + octal(0, 8) + octal(0, 8) + octal(body.length, 12) + octal(0, 12), 100);
    head.write(`        ${link === undefined ? "0" : isHard ? "1" : "2"}`, 148);
    head.write((link ?? "").slice(0, 100), 157);
    head.write("ustar\x0000", 257);
    head.write(
      octal(
        head.reduce((sum, each) => sum + each, 0),
        7,
      ) + " ",
      148,
    );
    return [head, body, Buffer.alloc((512 - (body.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}
