package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func publicFilesOf(t *testing.T, chart string) map[string]string {
	files := map[string]string{}
	_ = filepath.WalkDir(chart, func(path string, each fs.DirEntry, err error) error {
		if err == nil && !each.IsDir() {
			text, _ := os.ReadFile(path)
			name, _ := filepath.Rel(chart, path)
			files["chart/"+name] = string(text)
		}
		return err
	})
	return files
}

// Each claim once more, with values that no trial had.
type survey struct {
	leaves, placed, constants, named, about, random      int
	carries, derived, exists, reads, again, wrong, flips int
	renders                                              int
	failures                                             []string
}

func (s *survey) object(w *world, o object, all []object) {
	b := w.blamed(o, all, blameAsked{MostLeaves: 1 << 20})
	for _, each := range b.Leaves {
		s.leaves++
		if each.At != nil {
			s.placed++
		}
		hows := map[string]bool{}
		for _, claim := range each.Values {
			hows[claim.How] = true
			s.again3(w, b, each, claim)
		}
		switch {
		case hows["carries"]:
			s.carries++
		case hows["derived"]:
			s.derived++
		case len(each.About) > 0:
			s.about++
		default:
			s.constants++
		}
		if hows["exists"] {
			s.exists++
		}
		if hows["reads"] {
			s.reads++
		}
	}
	for _, claim := range b.Exists {
		s.again3(w, b, nil, claim)
	}
}

func other(value any) (replacement, bool) {
	switch v := value.(type) {
	case float64:
		if v != float64(int64(v)) {
			return replacement{0.271, "0.271", fmt.Sprint(v), true}, true
		}
		if v >= 1000 {
			return replacement{float64(27182), "27182", fmt.Sprint(v), true}, true
		}
		return replacement{float64(271), "271", fmt.Sprint(v), true}, true
	case string:
		if numeric.MatchString(v) {
			return replacement{"27182", "27182", v, true}, true
		}
		end := v[len(strings.TrimRight(v, "\n")):]
		return replacement{"zzothervalueqq" + end, "zzothervalueqq" + end, v, true}, true
	}
	return replacement{}, false
}

func (s *survey) again3(w *world, b *blamedObject, l *blamedLeaf, c claim) {
	if c.How == "reads" {
		return
	}
	for _, value := range w.leaves {
		if !startsWith(value.path, c.Path) || len(value.path) != len(c.Path) {
			continue
		}
		third, ok := other(value.value)
		if !ok {
			s.flips++
			return
		}
		result, ok := w.changed(b.only, []valueLeaf{value}, func(any) replacement { return third })
		if !ok {
			return
		}
		s.again++
		after, isChanged := result[b.Template]
		partner := partnerOf(b.object, b.beside, after, third)
		holds := isChanged
		if isChanged && l == nil {
			holds = partner == nil
		} else if isChanged && partner != nil {
			found := ""
			isThere := false
			for _, each := range partner.leaves() {
				if startsWith(each.path, l.Path) && len(each.path) == len(l.Path) {
					found, isThere = each.node.Value, true
				}
			}
			was := l.leaf.node.Value
			switch c.How {
			case "carries":
				holds = isThere && strings.Contains(found, third.text) && strings.ReplaceAll(found, third.text, third.old) == was
			case "derived":
				holds = !isThere || found != was || kindOf(l.leaf.node) == "map" || kindOf(l.leaf.node) == "seq"
			}
		}
		if !holds {
			s.wrong++
			if l != nil {
				s.failures = append(s.failures, fmt.Sprint(b.Kind, "/", b.Name, l.Path, " ", c.How, c.Path))
			} else {
				s.failures = append(s.failures, fmt.Sprint(b.Kind, "/", b.Name, " exists ", c.Path))
			}
		}
		return
	}
}

// Public charts, by hand: MANIFESTS_CHARTS=FOLDER, with values beside each as NAME.*.yaml.
func TestPublicCharts(t *testing.T) {
	folder := os.Getenv("MANIFESTS_CHARTS")
	if folder == "" {
		t.Skip("no charts are named")
	}
	charts, _ := filepath.Glob(filepath.Join(folder, "*", "Chart.yaml"))
	for _, chart := range charts {
		chart = filepath.Dir(chart)
		if only := os.Getenv("MANIFESTS_ONLY"); only != "" && filepath.Base(chart) != only {
			continue
		}
		values, _ := filepath.Glob(chart + ".*.yaml")
		for _, file := range append([]string{""}, values...) {
			files := publicFilesOf(t, chart)
			if text, err := os.ReadFile(file); err == nil {
				files["values"] = string(text)
			}
			w := worldOf(t, files, 4)
			s := &survey{}
			all, err := w.objects()
			if err != nil {
				t.Fatal(err)
			}
			for _, each := range all {
				s.object(w, each, all)
			}
			s.renders = w.count
			t.Logf("%s %s: %d objects, %d leaves, %d placed; %d carry, %d derived, %d about, %d constant; %d exist by a value, %d read; again %d, wrong %d, flips %d; %d renders\n  %s",
				filepath.Base(chart), filepath.Base(file), len(all), s.leaves, s.placed, s.carries, s.derived, s.about, s.constants, s.exists, s.reads, s.again, s.wrong, s.flips, s.renders, strings.Join(s.failures[:min(8, len(s.failures))], "\n  "))
		}
	}
}
