package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What a second chart does to the values of a user is in `wanted.txt` beside each pair, for both versions of Helm.
func TestUpgrades(t *testing.T) {
	cases, _ := filepath.Glob("testdata/upgrades/*")
	if len(cases) == 0 {
		t.Fatal("no cases")
	}
	for _, folder := range cases {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			wanted := filepath.Join(folder, "wanted.txt")
			found := upgradeListing(t, pairIn(t, folder), 4)
			if *update {
				if err := os.WriteFile(wanted, []byte(found), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			text, _ := os.ReadFile(wanted)
			if found != string(text) {
				t.Errorf("found\n%s", found)
			}
			if other := upgradeListing(t, pairIn(t, folder), 3); withoutReasons(other) != withoutReasons(found) {
				t.Errorf("Helm 3 has\n%s", other)
			}
		})
	}
}

// Of values that are equal to the defaults, or that nothing reads, all can go at once; of the others none.
func TestRemovable(t *testing.T) {
	files := pairIn(t, "testdata/upgrades/moved")
	files["values"] = "replicas: 1\nhost: web\nstray: 1\ngrace: 30\n"
	for _, helm := range []int{3, 4} {
		results, _ := asking(t, map[string]any{"helm": helm, "ask": "unread", "paths": []any{[]string{"replicas"}, []string{"host"}, []string{"stray"}}}, files)
		if found := fmt.Sprint(results["removable"]); found != "[[replicas] [stray]]" {
			t.Errorf("found %s", found)
		}
		results, _ = asking(t, map[string]any{"helm": helm, "ask": "unread"}, files)
		if found := fmt.Sprint(results["unread"]); found != "[map[path:[stray]]]" {
			t.Errorf("unread %s", found)
		}
	}
}

// The files of a case: both charts, and `values`.
func pairIn(t *testing.T, folder string) map[string]string {
	t.Helper()
	files := filesOf(t, folder)
	second := filepath.Join(folder, "chart2")
	_ = filepath.Walk(second, func(path string, each os.FileInfo, err error) error {
		if err == nil && !each.IsDir() {
			text, _ := os.ReadFile(path)
			name, _ := filepath.Rel(folder, path)
			files[name] = string(text)
		}
		return err
	})
	return files
}

func upgradeListing(t *testing.T, files map[string]string, helm int) string {
	results, _ := asking(t, map[string]any{"helm": helm, "ask": "upgrade", "secrets": []any{}}, files)
	if results["error"] != nil {
		return fmt.Sprintf("error: %v\n", results["error"])
	}
	text, _ := json.Marshal(results["upgrade"])
	var u upgraded
	if err := json.Unmarshal(text, &u); err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	if u.New != "" {
		fmt.Fprintf(&all, "the new chart fails: %s\n", u.New)
	}
	for _, each := range u.Breaks {
		fmt.Fprintf(&all, "breaks %s, %s → %s: %s\n", strings.Join(each.Path, "."), each.Was, each.Is, each.Reason)
	}
	for _, each := range u.Dead {
		fmt.Fprintf(&all, "dead %s, tried %t\n", strings.Join(each.Path, "."), each.IsTried)
	}
	for _, each := range u.DeadBefore {
		fmt.Fprintf(&all, "dead before %s\n", strings.Join(each.Path, "."))
	}
	for _, each := range u.Changed {
		fmt.Fprintf(&all, "changed %s, lost %v, gained %v\n", strings.Join(each.Path, "."), each.Lost, each.Gained)
	}
	for _, each := range u.Defaults {
		fmt.Fprintf(&all, "default %s, %s → %s, refused %t\n", strings.Join(each.Path, "."), shownDefault(each.From), shownDefault(each.To), each.IsRefused)
	}
	fmt.Fprintf(&all, "required %v, untried %v, same %d, same defaults %d\n", u.Required, u.Untried, len(u.Same), u.SameDefaults)
	return all.String()
}

func shownDefault(value *any) string {
	if value == nil {
		return "none"
	}
	text, _ := json.Marshal(*value)
	return string(text)
}

// The two versions of Helm have other words for some refusals.
func withoutReasons(listing string) string {
	lines := strings.Split(listing, "\n")
	kept := []string{}
	for _, line := range lines {
		if start, _, ok := strings.Cut(line, ": "); ok {
			kept = append(kept, start)
		} else if !strings.HasPrefix(line, " ") && !strings.HasPrefix(line, "-") {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
}

// What nothing reads is known of a chart that does not render, too: by its templates, also those that read a key by a name that is
// not known, or only ask whether there is something.
func TestUnreadKeys(t *testing.T) {
	files := map[string]string{
		"chart/Chart.yaml":          "apiVersion: v2\nname: web\nversion: 1.0.0\ndependencies: [{name: db, version: 1.0.0}]\n",
		"chart/templates/a.yaml":    "{{ range $name, $kind := dict \"a\" 1 }}{{ $one := index $.Values.jobs $name }}{{ if and $one $one.isOn }}x: {{ $one.image }}{{ end }}{{ end }}\n",
		"chart/charts/x/Chart.yaml": "apiVersion: v2\nname: x\nversion: 1.0.0\n",
		"values":                    "jobs: {a: {isOn: false, image: b, imgae: c}}\ndb: {size: 1}\nstray: 1\ntext: '{{ .Values.named }}'\nnamed: 1\n",
	}
	const wanted = "[map[path:[jobs a imgae]] map[path:[stray]] map[path:[text]]]"
	for _, helm := range []int{3, 4} {
		results, _ := asking(t, map[string]any{"helm": helm, "ask": "unread"}, files)
		if found := fmt.Sprint(results["unread"]); results["error"] == nil || found != wanted {
			t.Errorf("error %v, unread %s", results["error"], found)
		}
	}
}
