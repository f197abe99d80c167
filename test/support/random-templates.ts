// Random templates for a random chart. Texts say which line of which file they are from, as `FILE#LINE`; what a function looks
// at says nothing, since its line is that of the action.
import type { StampedChart } from "./stamped-chart.ts";

type Random = (below: number) => number;

const kinds = ["ConfigMap", "Service", "Deployment", "Widget", "Namespace", "Secret"];

/** With templates in the chart and its subcharts. `@` is replaced by the line. */
export function addTemplates({ files }: StampedChart, random: Random): void {
  const folders = [...files.keys()].flatMap((name) => /^(.*)\/Chart\.yaml$/.exec(name)?.[1] ?? []);
  for (const folder of folders) {
    const name = folder.replaceAll("/", "-");
    put(files, `${folder}/templates/_helpers.tpl`, helpers(name));
    for (let i = random(3) + 1; i > 0; i--)
      put(
        files,
        `${folder}/templates/${random(3) === 0 ? "deep/" : ""}t${i}.yaml`,
        template(name, i, random),
      );
    if (random(4) === 0) put(files, `${folder}/templates/NOTES.txt`, "Thank you for {{ .Chart.Name }}.\n");
    if (random(4) === 0) put(files, `${folder}/templates/empty.yaml`, "{{- if false }}\nx: 1\n{{- end }}\n");
    if (random(4) === 0) put(files, `${folder}/files/plain.txt`, "level={{ .Chart.Name }}\n");
  }
}

function put(files: Map<string, string>, name: string, text: string): void {
  const file = name.slice("chart/".length);
  const lines = text.split("\n").map((line, index) => line.replaceAll("@", `${file}#${index + 1}`));
  files.set(name, lines.join("\n"));
}

const helpers = (name: string): string => `{{/* Helpers */}}
{{- define "${name}.labels" -}}
first: "@"
{{ include "${name}.more" . }}
{{- if .Values.global }}
global: {{ "@" | quote }}
{{- end }}
{{- end }}
{{ define "${name}.more" -}}
release: {{ .Release.Name }}
more: "@"
{{- end -}}
{{- define "${name}.name" }}{{ .Release.Name }}-{{ .Chart.Name | trunc 20 | trimSuffix "-" }}{{ end }}
{{- define "${name}.map" }}
a: 1
b: {{ .Chart.Name }}
{{- end }}
`;

function template(name: string, number: number, random: Random): string {
  const documents = Array.from({ length: 1 + random(3) }, (_, index) =>
    document(name, `${number}-${index}`, random),
  );
  const ends = ["\n", "", "\n\n", "  \n"];
  const between = ["---\n", "\n---\n", "--- \n\n", "---\n# A comment\n---\n"];
  const start = ["", "---\n", "{{- /* start */ -}}\n", "\n\n"][random(4)];
  return start + documents.join(between[random(4)]) + ends[random(4)];
}

function document(name: string, number: string, random: Random): string {
  const body = Array.from({ length: 1 + random(4) }, (_, index) => field(name, index, random)).join("");
  const hook =
    random(5) === 0
      ? `  annotations:\n    "helm.sh/hook": ${["pre-install", "test", "odd"][random(3)]}\n`
      : "";
  const text = `apiVersion: v1
kind: ${kinds[random(kinds.length)]}
metadata:
  name: {{ include "${name}.name" . }}-${number}
${hook}spec:
  at: "@"
${body}`;
  return random(4) === 0
    ? `{{- if ne .Release.Name "${random(3) === 0 ? "shop" : ""}" }}\n${text}{{- end }}\n`
    : text;
}

function field(name: string, index: number, random: Random): string {
  const fields = [
    `  labels${index}:\n    {{- include "${name}.labels" . | nindent 4 }}\n`,
    `  labels${index}:\n{{ include "${name}.labels" . | indent 4 }}\n`,
    `  template${index}: {{ template "${name}.name" . }}\n  after${index}: "@"\n`,
    `  cut${index}: {{ include "${name}.name" . | trunc 6 | quote }}\n`,
    `  map${index}: {{ (include "${name}.map" . | fromYaml).b }}\n`,
    `  values${index}: {{ .Values | toJson }}\n  after${index}: "@"\n`,
    `  values${index}:\n    {{- toYaml .Values | nindent 4 }}\n  after${index}: {{ "@" }}\n`,
    `  {{- range $key, $value := .Values }}\n  {{ $key }}-${index}: {{ kindOf $value }} @\n  {{- else }}\n  none${index}: "@"\n  {{- end }}\n`,
    `  {{- with .Values.global }}\n  global${index}: {{ toJson . | quote }}\n  {{- end }}\n`,
    `  {{- $name := "@" }}\n  variable${index}: {{ .Chart.Version }}\n  after${index}: "@"\n`,
    `  tpl${index}: {{ tpl "{{ .Release.Namespace }}" . }}\n`,
    `  file${index}: {{ tpl (.Files.Get "files/plain.txt") . | quote }}\n  after${index}: "@"\n`,
    `  hash${index}: {{ include (print $.Template.BasePath "/_helpers.tpl") . | sha256sum }}\n`,
    `  block${index}: |\n    text @\n    {{ .Release.Name }} @\n`,
    `  api${index}: {{ .Capabilities.APIVersions.Has "apps/v1" }} {{ .Capabilities.KubeVersion.Version }}\n`,
    `  wide${index}: "ä€😀 @" \n`,
    `  {{- if .Values.fails }}{{ fail "it fails" }}{{ end }}\n  missing${index}: {{ .Values.none }}\n`,
  ];
  return fields[random(fields.length)] ?? "";
}
