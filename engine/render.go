package main

import (
	"encoding/json"
	"slices"
	"strings"
	"text/template"
	"text/template/parse"
	"unicode/utf8"
)

// A text that is larger fits in no object of a cluster, which ends at 1 MiB, nor can it be merged into one.
const maxText = 16 << 20

// So many parsed templates are kept at a time: a batch renders some of them again and again.
const maxParsed = 256

type engine struct {
	includes  map[string]map[string]string
	options   []string
	main      functions
	inInclude functions
	parsed    map[parsedKey]parsed
	// Of actions; empty for the usual ones.
	left, right string
	// What `inputs` gives to the template that is rendered.
	inputs map[string]any
}

type parsedKey struct {
	inInclude  bool
	name, text string
}

type parsed struct {
	*source
	template *template.Template
	fault    *fault
}

func newEngine(given batch) *engine {
	e := &engine{includes: given.Includes, options: []string{"missingkey=error"}, inInclude: sprigFunctions(), parsed: map[parsedKey]parsed{}}
	if given.Op == "applicationset" {
		e.options = given.Options
		e.inInclude = e.inInclude.with(applicationSetFunctions)
	}
	e.main = e.inInclude.with(e.includeFunctions())
	if given.Op == "resourceset" {
		e.left, e.right = "<<", ">>"
		e.main = slimFunctions().with(resourceSetFunctions).with(template.FuncMap{"inputs": func() map[string]any { return e.inputs }})
	}
	return e
}

// What a template calls an include by. No include has them: konfigure's know no other include.
func (e *engine) includeFunctions() template.FuncMap {
	functions := template.FuncMap{}
	for function := range e.includes {
		functions[function] = func(name string, data any) (string, error) { return e.include(function, name, data) }
	}
	return functions
}

func (e *engine) answer(r oneTemplate) rendered {
	// As sigs.k8s.io/yaml reads them: every number is a float64.
	values := map[string]any{}
	if err := json.Unmarshal([]byte(r.Values), &values); err != nil {
		return rendered{Fault: &fault{What: "type"}}
	}
	e.inputs = values
	text, fault := e.render(e.parse(parsedKey{name: "main", text: r.Text}), values)
	if fault != nil {
		return rendered{Fault: fault}
	}
	return rendered{Text: &text}
}

func (e *engine) include(function, name string, data any) (string, error) {
	text, found := e.includes[function][clean(name)]
	if !found {
		return "", noInclude{name}
	}
	rendered, fault := e.render(e.parse(parsedKey{inInclude: true, name: name, text: text}), data)
	if fault != nil {
		return "", fault.in(name)
	}
	return rendered, nil
}

func (e *engine) parse(key parsedKey) parsed {
	found, ok := e.parsed[key]
	if !ok {
		if len(e.parsed) >= maxParsed {
			clear(e.parsed)
		}
		found = e.parseAnew(key)
		e.parsed[key] = found
	}
	return found
}

// What template.Parse does, but only the functions that are called are bound: there are more than 200, and looking at
// each of them takes longer than rendering.
func (e *engine) parseAnew(key parsedKey) parsed {
	functions := e.main
	if key.inInclude {
		functions = e.inInclude
	}
	trees, err := parse.Parse(key.name, key.text, e.left, e.right, functions.known)
	source := &source{name: key.name, text: key.text, trees: trees}
	if err != nil {
		return parsed{source: source, fault: source.parseFault(err)}
	}
	if fault := source.impurity(functions.impure); fault != nil {
		return parsed{source: source, fault: fault}
	}
	t := template.New(key.name).Funcs(functions.calledIn(source)).Option(known(e.options)...)
	for name, tree := range trees {
		if _, err := t.AddParseTree(name, tree); err != nil {
			return parsed{source: source, fault: &fault{What: "parse"}}
		}
	}
	return parsed{source: source, template: t}
}

// text/template panics at an option that it does not know.
func known(options []string) []string {
	return slices.DeleteFunc(slices.Clone(options), func(option string) bool {
		return !slices.Contains([]string{"missingkey=default", "missingkey=invalid", "missingkey=zero", "missingkey=error"}, option)
	})
}

func (e *engine) render(p parsed, data any) (text string, found *fault) {
	if p.fault != nil {
		return "", p.fault
	}
	// text/template hands on what panics beside a function.
	defer func() {
		if recover() != nil {
			text, found = "", &fault{What: "failed"}
		}
	}()
	var out bounded
	if err := p.template.Execute(&out, data); err != nil {
		return "", p.executionFault(err)
	}
	if !utf8.ValidString(out.String()) {
		return "", &fault{What: "failed"}
	}
	return out.String(), nil
}

type bounded struct{ strings.Builder }

func (b *bounded) Write(p []byte) (int, error) {
	if b.Len()+len(p) > maxText {
		return 0, &fault{What: "too-large"}
	}
	return b.Builder.Write(p)
}
