package main

import (
	_ "embed"
	"maps"
	"path"
	"strings"
	"text/template"
	"text/template/parse"

	"valuefold.dev/engine/repeatable"
)

// All functions of sprig, judged. A later one of sprig that is not judged yet is refused.
//
//go:embed functions.txt
var judged string

type functions struct {
	callable template.FuncMap
	// Names that are refused.
	impure map[string]bool
	// What the parser asks whether a name is a function's.
	known map[string]any
}

func sprigFunctions() functions {
	all := repeatable.Functions()
	pure := pureNames()
	f := functions{callable: all, impure: map[string]bool{}, known: map[string]any{}}
	for name := range all {
		f.impure[name] = !pure[name]
		f.known[name] = true
	}
	for _, name := range builtins {
		f.known[name] = true
	}
	return f
}

func (f functions) with(more template.FuncMap) functions {
	g := functions{maps.Clone(f.callable), maps.Clone(f.impure), maps.Clone(f.known)}
	for name, function := range more {
		g.callable[name], g.impure[name], g.known[name] = function, false, true
	}
	return g
}

func (f functions) calledIn(s *source) template.FuncMap {
	called := template.FuncMap{}
	s.visit(func(node parse.Node) {
		if word, ok := node.(*parse.IdentifierNode); ok && f.callable[word.Ident] != nil {
			called[word.Ident] = f.callable[word.Ident]
		}
	})
	return called
}

// The part of the list above its heading `# refused`.
func pureNames() map[string]bool {
	names := map[string]bool{}
	pure, _, _ := strings.Cut(judged, "\n# refused\n")
	for _, line := range strings.Split(pure, "\n") {
		if !strings.HasPrefix(line, "#") {
			for _, name := range strings.Fields(line) {
				names[name] = true
			}
		}
	}
	return names
}

// Those of text/template itself.
var builtins = strings.Fields("and call html index slice js len not or print printf println urlquery eq ge gt le lt ne")

// The file's ending comes behind the name, so the last part is never `.` or `..` by itself.
func clean(name string) string {
	return strings.TrimSuffix(path.Join(".", "./"+name+"e"), "e")
}
