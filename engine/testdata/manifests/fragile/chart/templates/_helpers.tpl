{{- define "long" }}{{ .Values.name }}-{{ .Release.Name }}{{ end }}
{{- define "isOn" }}{{ eq .Values.on "yes" }}{{ end }}
{{- define "map" }}
a: {{ .Values.name }}
b: 2
{{- end }}
{{- define "odd" }}  {{ .Values.name }}  {{ end }}
