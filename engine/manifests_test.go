package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write what is found in place of what is wanted: read it before you commit it")

// Asks as src does, with files in the place of a chart's.
func asking(t *testing.T, head map[string]any, files map[string]string) (map[string]any, map[string]string) {
	t.Helper()
	arguments := map[string]any{"op": "manifests", "helm": 4, "release": "rel", "namespace": "nspace"}
	for key, each := range head {
		arguments[key] = each
	}
	entries, body := []entry{}, []byte{}
	for _, name := range sortedKeys(files) {
		entries, body = append(entries, entry{name, len(files[name])}), append(body, files[name]...)
	}
	arguments["files"] = entries
	text, err := json.Marshal(arguments)
	if err != nil {
		t.Fatal(err)
	}
	given, err := readFrame(strings.NewReader(string(answered(request{head: text, body: body}))))
	if err != nil {
		t.Fatal(err)
	}
	results, found := map[string]any{}, map[string]string{}
	if err := json.Unmarshal(given.head, &results); err != nil {
		t.Fatal(err)
	}
	var list struct{ Files []entry }
	_ = json.Unmarshal(given.head, &list)
	answer := request{Files: list.Files, body: given.body}
	_ = answer.each(func(name string, content []byte) error { found[name] = string(content); return nil })
	return results, found
}

// The files of a case: those of its chart, and `values`.
func filesOf(t *testing.T, folder string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(filepath.Join(folder, "chart"), func(path string, each fs.DirEntry, err error) error {
		if err == nil && !each.IsDir() {
			text, _ := os.ReadFile(path)
			name, _ := filepath.Rel(folder, path)
			files[name] = string(text)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	values, _ := os.ReadFile(filepath.Join(folder, "values.yaml"))
	files["values"] = string(values)
	return files
}

func worldOf(t *testing.T, files map[string]string, helm int) *world {
	t.Helper()
	r, body := request{}, []byte{}
	for _, name := range sortedKeys(files) {
		r.Files, body = append(r.Files, entry{name, len(files[name])}), append(body, files[name]...)
	}
	r.body = body
	w, err := newWorld(&r, manifestsAsked{Helm: helm, Release: "rel", Namespace: "nspace", KubeVersion: os.Getenv("MANIFESTS_KUBE")}, "", "")
	if err != nil {
		t.Fatal(err)
	}
	w.prepareTrials()
	w.most = 1 << 20
	return w
}

// What is asked of the charts in testdata/manifests is in `wanted.txt` beside each, for both versions of Helm.
func TestBlame(t *testing.T) {
	cases, _ := filepath.Glob("testdata/manifests/*")
	for _, folder := range cases {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			wanted := filepath.Join(folder, "wanted.txt")
			found := listing(t, folder, 4)
			if *update {
				if err := os.WriteFile(wanted, []byte(found), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			text, _ := os.ReadFile(wanted)
			if found != string(text) {
				t.Errorf("found\n%s", found)
			}
			if other := listing(t, folder, 3); other != found {
				t.Errorf("Helm 3 has\n%s", other)
			}
		})
	}
}

func listing(t *testing.T, folder string, helm int) string {
	files := filesOf(t, folder)
	secrets := []any{}
	if text, err := os.ReadFile(filepath.Join(folder, "secrets.json")); err == nil {
		if err := json.Unmarshal(text, &secrets); err != nil {
			t.Fatal(err)
		}
	}
	var all strings.Builder
	for _, each := range objectsIn(t, files, helm) {
		head := map[string]any{"helm": helm, "ask": "blame", "object": map[string]any{"kind": each.kind, "name": each.name}, "secrets": secrets}
		results, _ := asking(t, head, files)
		if results["error"] != nil {
			t.Fatal(results["error"])
		}
		for _, object := range results["objects"].([]any) {
			writeObject(&all, object.(map[string]any))
		}
	}
	return all.String()
}

func objectsIn(t *testing.T, files map[string]string, helm int) []object {
	all, err := worldOf(t, files, helm).objects()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func writeObject(all *strings.Builder, o map[string]any) {
	fmt.Fprintf(all, "%v/%v of %v, %v leaves", o["kind"], o["name"], o["template"], o["count"])
	for _, each := range o["exists"].([]any) {
		fmt.Fprintf(all, ", because of %s", claimed(each))
	}
	all.WriteString("\n")
	for _, each := range o["leaves"].([]any) {
		leaf := each.(map[string]any)
		fmt.Fprintf(all, "  %s: ", dotted(leaf["path"]))
		if leaf["secret"] == true {
			fmt.Fprintf(all, "secret %v", leaf["type"])
		} else {
			fmt.Fprintf(all, "%v %q", leaf["type"], leaf["text"])
		}
		if leaf["at"] != nil {
			fmt.Fprintf(all, "\n    %s", lineIn(leaf["at"]))
		}
		through, _ := leaf["through"].([]any)
		for _, outer := range through {
			fmt.Fprintf(all, " < %s", lineIn(outer))
		}
		if leaf["action"] != nil {
			fmt.Fprintf(all, " %s", leaf["action"])
		}
		all.WriteString("\n")
		for _, claim := range leaf["values"].([]any) {
			fmt.Fprintf(all, "    %s\n", claimed(claim))
		}
		about, _ := leaf["about"].([]any)
		for _, each := range about {
			fmt.Fprintf(all, "    about: %s\n", each)
		}
	}
}

func dotted(path any) string {
	keys := []string{}
	for _, each := range path.([]any) {
		keys = append(keys, fmt.Sprint(each))
	}
	return strings.Join(keys, ".")
}

func lineIn(place any) string {
	return fmt.Sprintf("%v:%v", place.(map[string]any)["file"], place.(map[string]any)["line"])
}

func claimed(claim any) string {
	c := claim.(map[string]any)
	text := fmt.Sprintf("%v %s", c["how"], dotted(c["path"]))
	if c["at"] != nil {
		text += " " + lineIn(c["at"])
	}
	return text
}
