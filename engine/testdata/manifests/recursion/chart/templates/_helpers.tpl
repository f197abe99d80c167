{{- define "arguments" -}}
  {{- $path := .path -}}
  {{- range $key, $value := .content -}}
    {{- if kindIs "map" $value }}
      {{- include "arguments" (dict "path" (printf "%s.%s" $path $key) "content" $value) -}}
    {{- else }}
- --{{ $path }}.{{ $key }}={{ $value }}
    {{- end -}}
  {{- end -}}
{{- end -}}
