{{ define "named" }}
  named: {{ .name.level }}
{{- end }}
