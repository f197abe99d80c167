package main

import (
	"slices"
	"strings"
	"testing"
	"text/template"

	"github.com/Masterminds/sprig/v3"
)

// A later sprig may have more functions: each is looked at before it is called pure.
func TestEveryFunctionIsJudgedOnce(t *testing.T) {
	listed := []string{}
	for _, line := range strings.Split(judged, "\n") {
		if !strings.HasPrefix(line, "#") {
			listed = append(listed, strings.Fields(line)...)
		}
	}
	there := []string{}
	for name := range sprig.TxtFuncMap() {
		there = append(there, name)
	}
	slices.Sort(listed)
	slices.Sort(there)
	if !slices.Equal(listed, there) {
		t.Errorf("functions.txt lists\n%v\nsprig has\n%v", listed, there)
	}
}

// What sprig itself calls not repeatable is refused.
func TestNoPureFunctionIsOneOfThoseThatSprigCallsNotHermetic(t *testing.T) {
	hermetic := sprig.HermeticTxtFuncMap()
	for name := range pureNames() {
		if hermetic[name] == nil {
			t.Errorf("%s is called pure", name)
		}
	}
}

func TestBuiltinsAreThoseOfTextTemplate(t *testing.T) {
	for _, name := range builtins {
		if _, err := template.New("main").Parse("{{ " + name + " }}"); err != nil {
			t.Errorf("%s is no function of text/template", name)
		}
	}
	for name := range sprig.TxtFuncMap() {
		if _, err := template.New("main").Parse("{{ " + name + " }}"); err == nil && !slices.Contains(builtins, name) {
			t.Errorf("%s is a function of text/template", name)
		}
	}
}

func TestWhatSlimSprigLeavesOutIsOfSprig(t *testing.T) {
	all := sprig.TxtFuncMap()
	for _, name := range notSlim {
		if all[name] == nil {
			t.Errorf("%s is no function of sprig", name)
		}
	}
}
