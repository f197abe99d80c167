package main

import (
	"encoding/json"
	"strings"
	"testing"
)

func asked(t *testing.T, chart string, head map[string]any, more map[string]string, key string) string {
	t.Helper()
	files := filesOf(t, "testdata/manifests/"+chart)
	for name, text := range more {
		files[name] = text
	}
	head["ask"] = "effects"
	results, _ := asking(t, head, files)
	if results["error"] != nil {
		t.Fatal(results["error"])
	}
	text, _ := json.Marshal(results[key])
	return string(text)
}

func same(t *testing.T, found, wanted string) {
	t.Helper()
	if found != wanted {
		t.Errorf("found\n%s", found)
	}
}

func TestEffectsOfAValueThatObjectsExistBy(t *testing.T) {
	found := asked(t, "loops", map[string]any{"paths": [][]any{{"tls", "enabled"}}}, nil, "effects")
	same(t, found, `[{"objects":[`+
		`{"kind":"Ingress","leaves":[{"at":{"file":"templates/ingress.yaml","line":13},"how":"exists","path":["spec","tls"]}],"name":"rel","template":"templates/ingress.yaml"},`+
		`{"exists":"exists","kind":"Service","leaves":[],"name":"secure","template":"templates/service.yaml"}],"path":["tls","enabled"]}]`)
}

func TestEffectsOfAValueThatDeploysASubchart(t *testing.T) {
	found := asked(t, "subcharts", map[string]any{"paths": [][]any{{"queue", "enabled"}}}, nil, "effects")
	same(t, found, `[{"objects":[{"exists":"absent","kind":"Queue","leaves":[],"name":"queue","template":"charts/queue/templates/queue.yaml"}],"path":["queue","enabled"]}]`)
}

func TestChangesDoNotShowSecrets(t *testing.T) {
	head := map[string]any{"secrets": [][]any{{"password"}}}
	found := asked(t, "secrets", head, map[string]string{"values2": "password: hunter2secret\nplain: closed\nuser: root\n"}, "changes")
	same(t, found, `[{"kind":"Secret","leaves":[{"fromType":"str","path":["data","user"],"secret":true,"toType":"str"}],"name":"login","template":"templates/all.yaml","what":"changed"},`+
		`{"kind":"ConfigMap","leaves":[{"fromType":"str","path":["data","url"],"secret":true,"toType":"str"},`+
		`{"from":"open","fromType":"str","path":["data","plain"],"to":"closed","toType":"str"}],"name":"config","template":"templates/all.yaml","what":"changed"}]`)
}

func TestTextThatLooksLikeAMarkIsKept(t *testing.T) {
	files := map[string]string{
		"values":                 "text: \"\\ue0005\\ue001\"\n",
		"chart/Chart.yaml":       "apiVersion: v2\nname: odd\nversion: 1.0.0\n",
		"chart/templates/a.yaml": "kind: A\na: {{ .Values.text }}\nb: \"\ue000\"\n",
	}
	results, texts := asking(t, map[string]any{"ask": "render"}, files)
	if results["error"] != nil || texts["templates/a.yaml"] != "kind: A\na: \ue0005\ue001\nb: \"\ue000\"\n\n" {
		t.Errorf("%v %q", results["error"], texts["templates/a.yaml"])
	}
}

func TestAKindThatIsASecretIsPrintedNowhere(t *testing.T) {
	chart := func(folder, field string) map[string]string {
		return map[string]string{
			folder + "/Chart.yaml":       "apiVersion: v2\nname: odd\nversion: 1.0.0\n",
			folder + "/values.yaml":      "kind: A\nx: 1\nmode: a\n",
			folder + "/templates/a.yaml": "{{- if not (has .Values.mode (list \"a\" \"b\")) }}{{ fail \"mode\" }}{{ end }}\nkind: {{ .Values.kind }}\nmetadata: {name: a}\nx: {{ .Values.x }}\n" + field + ": {{ .Values.mode }}\n",
		}
	}
	files := chart("chart", "old")
	for name, text := range chart("chart2", "new") {
		files[name] = text
	}
	files["values"], files["values2"] = "kind: Canary\nmode: b\n", "kind: Canary\nx: 2\nmode: b\n"
	for _, ask := range []string{"effects", "upgrade"} {
		head := map[string]any{"ask": ask, "secrets": [][]any{{"kind"}}, "paths": [][]any{{"x"}, {"mode"}}}
		results, _ := asking(t, head, files)
		text, _ := json.Marshal(results)
		if strings.Contains(string(text), "Canary") || !strings.Contains(string(text), secretName) {
			t.Errorf("%s: %s", ask, text)
		}
	}
}

func TestNoWordOfATrialIsPrinted(t *testing.T) {
	files := map[string]string{
		"chart/Chart.yaml":  "apiVersion: v2\nname: odd\nversion: 1.0.0\n",
		"chart/values.yaml": "n: \"\"\nm: {}\n",
		"chart/templates/a.yaml": "kind: A\nmetadata: {name: a}\ndata:\n  x: y\n{{- if .Values.n }}\n  {{ .Values.n | upper }}: 1\n  {{ .Values.n | b64enc }}: 2\n  {{ .Values.n | sha256sum | trunc 8 | quote }}: 3\n{{- end }}\n" +
			"{{- range $k, $v := .Values.m }}\n---\nkind: B\nmetadata: {name: b-{{ $k | upper }}, namespace: {{ $k }}}\n{{- end }}\n",
	}
	head := map[string]any{"ask": "effects", "paths": [][]any{{"n"}, {"m"}}}
	results, _ := asking(t, head, files)
	text, _ := json.Marshal(results["effects"])
	same(t, string(text), `[{"objects":[{"kind":"A","leaves":[{"how":"absent","path":["data"]}],"name":"a","template":"templates/a.yaml"}],"path":["n"]},`+
		`{"objects":[{"exists":"absent","kind":"B","leaves":[],"name":"(any)","namespace":"(any)","template":"templates/a.yaml"}],"path":["m"]}]`)
}
