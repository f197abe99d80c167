{{- define "web.labels" -}}
app: {{ .Release.Name }}
version: {{ .Values.image.tag | quote }}
{{- end }}
