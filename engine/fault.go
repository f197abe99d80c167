package main

import (
	"errors"
	"regexp"
	"strconv"
	"strings"
	"text/template"
	"text/template/parse"
)

// Go's errors quote templates and values, so their texts never leave. A fault is made by comparing a text with what Go would
// say of a word that the template spells itself; what is not found so has no name.
type fault struct {
	What string `json:"what"`
	// The include that it lies in, by the name it was called by.
	Include string `json:"include,omitempty"`
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	Name    string `json:"name,omitempty"`
}

func (f *fault) Error() string { return f.What }

func (f fault) in(include string) *fault {
	f.Include = include
	return &f
}

func (f fault) at(p place) *fault {
	f.Line, f.Column = p.line, p.column
	return &f
}

type noInclude struct{ name string }

func (noInclude) Error() string { return "no include" }

// The first call of a function that is refused, in the order of the text, whether it would be reached or not.
func (s *source) impurity(impure map[string]bool) *fault {
	var first *parse.IdentifierNode
	s.visit(func(node parse.Node) {
		if word, ok := node.(*parse.IdentifierNode); ok && impure[word.Ident] && (first == nil || word.Pos < first.Pos) {
			first = word
		}
	})
	if first == nil {
		return nil
	}
	return fault{What: "impure", Name: first.Ident}.at(s.placeOf(int(first.Pos)))
}

var notDefined = regexp.MustCompile(`^function ("[^"]+") not defined$`)

// The parser tells a line, and no column.
func (s *source) parseFault(err error) *fault {
	told, detail, _ := strings.Cut(strings.TrimPrefix(err.Error(), "template: "+s.name+":"), ": ")
	line, _ := strconv.Atoi(told)
	found := &fault{What: "parse", Line: line}
	if match := notDefined.FindStringSubmatch(detail); match != nil {
		name, _ := strconv.Unquote(match[1])
		found = &fault{What: "function", Line: line, Name: name, Column: s.columnOf(name, line)}
	}
	return found
}

// Where a word stands in a line, if it stands there once.
func (s *source) columnOf(name string, line int) int {
	lines := strings.Split(s.text, "\n")
	if line < 1 || line > len(lines) {
		return 0
	}
	found := regexp.MustCompile(`(?:^|[^\pL\pN_.$])(`+regexp.QuoteMeta(name)+`)(?:[^\pL\pN_]|$)`).FindAllStringSubmatchIndex(lines[line-1], 2)
	if len(found) != 1 {
		return 0
	}
	return found[0][2] + 1
}

func (s *source) executionFault(err error) *fault {
	if inner := (*fault)(nil); errors.As(err, &inner) {
		return inner
	}
	var failed template.ExecError
	if !errors.As(err, &failed) {
		return &fault{What: "failed"}
	}
	nodes, detail := s.nodesOf(failed)
	if len(nodes) == 0 {
		return &fault{What: "failed"}
	}
	found := s.judged(nodes, detail, err)
	if found.Line != 0 {
		return found
	}
	return found.at(s.placeOf(int(nodes[0].Position())))
}

// The nodes that an error tells of, by what it begins with, and what it says of them. Several nodes may look alike: a
// pipeline, its one command and its one word.
func (s *source) nodesOf(failed template.ExecError) (nodes []parse.Node, detail string) {
	text, longest := failed.Error(), 0
	offset := s.offsetIn(text)
	for _, tree := range s.trees {
		visit(tree.Root, func(node parse.Node) {
			if int(node.Position()) != offset {
				return
			}
			location, context := tree.ErrorContext(node)
			start := "template: " + location + ": executing " + strconv.Quote(failed.Name) + " at <" + context + ">: "
			if len(start) < longest || !strings.HasPrefix(text, start) {
				return
			}
			if len(start) > longest {
				nodes, longest, detail = nil, len(start), text[len(start):]
			}
			nodes = append(nodes, node)
		})
	}
	return nodes, detail
}

var lineAndByte = regexp.MustCompile(`^(\d+):(\d+): executing `)

// Go's errors begin with a line, 1-based, and a byte in it, 0-based. -1 if one does not.
func (s *source) offsetIn(text string) int {
	match := lineAndByte.FindStringSubmatch(strings.TrimPrefix(text, "template: "+s.name+":"))
	if match == nil {
		return -1
	}
	line, _ := strconv.Atoi(match[1])
	inLine, _ := strconv.Atoi(match[2])
	start := 0
	for ; line > 1; line-- {
		start += 1 + strings.Index(s.text[start:], "\n")
	}
	return start + inLine
}

// What Go says of a key, a function or a template that one of the nodes names.
func (s *source) judged(nodes []parse.Node, detail string, err error) *fault {
	for _, key := range s.keysAt(nodes) {
		if what := ofKey(key.text, detail); what != "" {
			return fault{What: what, Name: key.text}.at(s.placeOf(key.offset))
		}
	}
	for _, node := range nodes {
		switch n := node.(type) {
		case *parse.TemplateNode:
			if what := ofTemplate(n.Name, detail); what != "" {
				return &fault{What: what, Name: n.Name}
			}
		case *parse.IdentifierNode:
			if found := ofFunction(n.Ident, detail); found != nil {
				return s.ofInclude(found, err)
			}
		case *parse.CommandNode:
			if function, ok := n.Args[0].(*parse.IdentifierNode); ok {
				if found := ofFunction(function.Ident, detail); found != nil {
					return s.ofInclude(found.at(s.placeOf(int(function.Pos))), err)
				}
			}
		}
	}
	return &fault{What: "type"}
}

func ofKey(key, detail string) string {
	switch {
	case detail == "map has no entry for key "+strconv.Quote(key), detail == "nil data; no entry for key "+strconv.Quote(key):
		return "missing-key"
	case strings.HasPrefix(detail, "can't evaluate field "+key+" in type "),
		strings.HasPrefix(detail, "nil pointer evaluating ") && strings.HasSuffix(detail, "."+key):
		return "type"
	}
	return ""
}

func ofTemplate(name, detail string) string {
	switch {
	case detail == "template "+strconv.Quote(name)+" not defined":
		return "include"
	case strings.HasPrefix(detail, "exceeded maximum template depth "):
		return "too-long"
	}
	return ""
}

// What functions of text/template refuse is the type of what they are given.
var ofTypes = map[string]bool{"eq": true, "ne": true, "lt": true, "le": true, "gt": true, "ge": true, "len": true}

// What Go says when a function asks for more than a processor can address.
var sizes = []string{"makeslice: ", "growslice: ", "Repeat: output length overflow", "Repeat output length overflow"}

func ofFunction(name, detail string) *fault {
	told, calling := strings.CutPrefix(detail, "error calling "+name+": ")
	if !calling {
		if strings.HasPrefix(detail, "wrong number of args for "+name+": ") {
			return &fault{What: "failed", Name: name}
		}
		return nil
	}
	for _, size := range sizes {
		if strings.Contains(told, size) {
			return &fault{What: "too-large", Name: name}
		}
	}
	if ofTypes[name] {
		return &fault{What: "type", Name: name}
	}
	return &fault{What: "failed", Name: name}
}

// The name of an include may be a value: it is told only if the template spells it.
func (s *source) ofInclude(found *fault, err error) *fault {
	var missing noInclude
	if !errors.As(err, &missing) {
		return found
	}
	found.What, found.Name = "include", ""
	s.visit(func(node parse.Node) {
		if literal, ok := node.(*parse.StringNode); ok && literal.Text == missing.name {
			found.Name = missing.name
		}
	})
	return found
}
