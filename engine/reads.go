package main

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/template/parse"
)

// A part of a chart's values that a template reads: the keys down to it. `Whole` if it hands on all that is below.
type valueRead struct {
	Path  []string `json:"path"`
	Whole bool     `json:"whole,omitempty"`
	File  string   `json:"file"`
	Line  int      `json:"line"`
	// Texts that the value is compared with.
	compared []string
}

// What templates read of `.Values`. In doubt they read all of it.
type reader struct {
	files map[string]string
	// All templates by their names: files, and what they define.
	trees map[string]*parse.Tree
}

// Where a value is: the root of what a template is given; below `.Values`, by the keys down to it; a `dict` or a `list` of such
// values; or anywhere.
type where struct {
	kind    string
	path    []string
	members map[string]where
}

// The same text for the same place.
func (v where) String() string {
	text := v.kind + "(" + strings.Join(v.path, "\x00")
	for _, name := range slices.Sorted(maps.Keys(v.members)) {
		text += "," + name + ":" + v.members[name].String()
	}
	return text + ")"
}

// Templates that call each other with ever larger dicts end here.
const maxContext = 4096

var (
	atRoot   = where{kind: "root"}
	anywhere = where{kind: "anywhere"}
)

func newReader(files map[string]string) *reader {
	r := &reader{files: files, trees: map[string]*parse.Tree{}}
	for _, name := range sortedKeys(files) {
		tree := parse.New(name)
		tree.Mode = parse.SkipFuncCheck
		found := map[string]*parse.Tree{}
		// What cannot be parsed reads nothing that can be known.
		if _, err := tree.Parse(files[name], "", "", found); err != nil {
			continue
		}
		for key, each := range found {
			r.trees[key] = each
		}
	}
	return r
}

func sortedKeys[V any](files map[string]V) []string {
	names := []string{}
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// The text of a request is a list of names of files, as JSON: those of one chart.
func (r *reader) answer(given oneTemplate) rendered {
	var names []string
	if err := json.Unmarshal([]byte(given.Text), &names); err != nil {
		return rendered{Fault: &fault{What: "type"}}
	}
	walk := &readWalk{reader: r, seen: map[string]bool{}, found: []valueRead{}}
	for _, name := range names {
		if tree := r.trees[name]; tree != nil {
			walk.template(tree, atRoot)
		} else if strings.TrimSpace(r.files[name]) != "" && strings.Contains(r.files[name], "{{") {
			walk.found = append(walk.found, valueRead{Path: []string{}, Whole: true, File: name, Line: 1})
		}
	}
	text, err := json.Marshal(walk.found)
	if err != nil {
		return rendered{Fault: &fault{What: "failed"}}
	}
	all := string(text)
	return rendered{Text: &all}
}

type readWalk struct {
	*reader
	seen  map[string]bool
	found []valueRead
}

// What is known while a list of nodes is walked.
type scope struct {
	tree      *parse.Tree
	dot       where
	variables map[string]where
}

func (s scope) with(dot where) scope {
	variables := map[string]where{}
	for name, value := range s.variables {
		variables[name] = value
	}
	return scope{s.tree, dot, variables}
}

func (w *readWalk) template(tree *parse.Tree, dot where) {
	context := dot.String()
	if len(context) > maxContext {
		w.whole(atRoot, tree.Root, scope{tree, dot, nil})
		return
	}
	key := tree.Name + "\x00" + context
	if w.seen[key] || tree.Root == nil {
		return
	}
	w.seen[key] = true
	w.list(tree.Root, scope{tree, dot, map[string]where{"$": dot}})
}

func (w *readWalk) list(list *parse.ListNode, s scope) {
	if list == nil {
		return
	}
	for _, node := range list.Nodes {
		w.node(node, s)
	}
}

func (w *readWalk) node(node parse.Node, s scope) {
	switch n := node.(type) {
	case *parse.ActionNode:
		w.pipe(n.Pipe, s, false)
	case *parse.IfNode:
		inner := s.with(s.dot)
		w.condition(n.Pipe, inner)
		w.list(n.List, inner)
		w.list(n.ElseList, s.with(s.dot))
	case *parse.WithNode:
		inner := s.with(s.dot)
		inner.dot = w.pipe(n.Pipe, inner, false)
		w.list(n.List, inner)
		w.list(n.ElseList, s.with(s.dot))
	case *parse.RangeNode:
		inner := s.with(s.dot)
		over := w.pipe(n.Pipe, inner, false)
		element := elementOf(over)
		inner.dot = element
		w.bindRange(n.Pipe, inner, over)
		w.list(n.List, inner)
		w.list(n.ElseList, s.with(s.dot))
	case *parse.TemplateNode:
		dot := anywhere
		if n.Pipe != nil {
			dot = w.pipe(n.Pipe, s, false)
		}
		w.call(n.Name, dot, n, s)
	}
}

// Of what is only true or false nothing is handed on.
func (w *readWalk) condition(pipe *parse.PipeNode, s scope) {
	name, operands := "", []parse.Node{}
	if len(pipe.Decl) == 0 && len(pipe.Cmds) == 1 {
		operands = pipe.Cmds[0].Args[1:]
		if function, ok := pipe.Cmds[0].Args[0].(*parse.IdentifierNode); ok {
			name = function.Ident
		}
	}
	if name != "and" && name != "or" && name != "not" {
		w.pipe(pipe, s, false)
		return
	}
	for _, each := range operands {
		if inner, ok := each.(*parse.PipeNode); ok {
			w.condition(inner, s)
		} else {
			w.add(w.operand(each, s), false, each, s)
		}
	}
}

// Elements of a list, and values of a mapping: keys that the user chooses are known.
func elementOf(over where) where {
	if over.kind == "values" {
		return inValues(append(slices.Clone(over.path), "*"))
	}
	return anywhere
}

func (w *readWalk) bindRange(pipe *parse.PipeNode, s scope, over where) {
	for i, name := range pipe.Decl {
		if i == len(pipe.Decl)-1 {
			s.variables[name.Ident[0]] = elementOf(over)
		} else {
			s.variables[name.Ident[0]] = anywhere
		}
	}
	// A template may read keys of what it goes through, and all of its elements.
	if over.kind == "values" {
		w.add(inValues(append(slices.Clone(over.path), "*")), false, pipe, s)
	} else {
		w.whole(over, pipe, s)
	}
}

// Where the value of a pipeline is. `isWhole` if all of it is handed on.
func (w *readWalk) pipe(pipe *parse.PipeNode, s scope, isWhole bool) where {
	if pipe == nil {
		return anywhere
	}
	value := anywhere
	for i, command := range pipe.Cmds {
		var piped *where
		if i > 0 {
			before := value
			piped = &before
		}
		value = w.command(command, s, piped, i < len(pipe.Cmds)-1 || isWhole)
	}
	// What a branch assigns may be there after it, too.
	if pipe.IsAssign {
		w.whole(value, pipe, s)
		value = anywhere
	}
	for _, name := range pipe.Decl {
		s.variables[name.Ident[0]] = value
	}
	return value
}

func (w *readWalk) command(command *parse.CommandNode, s scope, piped *where, isWhole bool) where {
	first := command.Args[0]
	if function, ok := first.(*parse.IdentifierNode); ok {
		return w.function(function.Ident, command.Args[1:], s, piped, command)
	}
	value := w.operand(first, s)
	for _, argument := range command.Args[1:] {
		w.whole(w.operand(argument, s), argument, s)
	}
	w.add(value, false, first, s)
	return value
}

// Where an operand is; a value is read only by what is done with it.
func (w *readWalk) operand(node parse.Node, s scope) where {
	switch n := node.(type) {
	case *parse.DotNode:
		return s.dot
	case *parse.FieldNode:
		return below(s.dot, n.Ident)
	case *parse.VariableNode:
		base, ok := s.variables[n.Ident[0]]
		if !ok {
			return anywhere
		}
		return below(base, n.Ident[1:])
	case *parse.ChainNode:
		return below(w.operand(n.Node, s), n.Field)
	case *parse.PipeNode:
		return w.pipe(n, s, false)
	}
	return anywhere
}

// A template that calls itself with what is below ends here: the rest is read as a whole.
const maxDepth = 20

func inValues(path []string) where {
	return where{kind: "values", path: path[:min(len(path), maxDepth)]}
}

func below(base where, keys []string) where {
	for _, key := range keys {
		switch {
		case base.kind == "root" && key == "Values":
			base = inValues([]string{})
		case base.kind == "values":
			base = inValues(append(slices.Clone(base.path), key))
		case base.kind == "dict" || base.kind == "list":
			member, ok := base.members[key]
			if !ok {
				member = anywhere
			}
			base = member
		default:
			base = anywhere
		}
	}
	return base
}

// Functions that look at a value as one, and hand on none of what is in it.
var scalarFunctions = words(`quote squote int int64 float64 toString b64enc b64dec trunc upper lower title trim trimSuffix trimPrefix trimAll
	eq ne lt le gt ge and or not empty kindIs kindOf typeOf typeIs hasPrefix hasSuffix contains replace printf print println
	required fail len add sub mul div mod max min ceil floor round regexMatch semver semverCompare sha256sum nospace
	urlquery snakecase camelcase kebabcase substr repeat indent nindent cat`)

// The last of their arguments, or the first, is what comes of them.
var choosing = words("default coalesce ternary required and or")

func words(text string) map[string]bool {
	all := map[string]bool{}
	for _, word := range strings.Fields(text) {
		all[word] = true
	}
	return all
}

func (w *readWalk) function(name string, nodes []parse.Node, s scope, piped *where, at parse.Node) where {
	values := make([]where, 0, len(nodes)+1)
	for _, node := range nodes {
		values = append(values, w.operand(node, s))
	}
	if piped != nil {
		values = append(values, *piped)
	}
	switch {
	case name == "index" || name == "get":
		return w.member(values, nodes, s, at)
	case name == "dig" && len(values) > 2:
		return w.dig(values, nodes, s, at)
	case name == "hasKey" && len(nodes) > 1:
		w.member(values, nodes, s, at)
		return anywhere
	case name == "dict":
		if known, ok := dictOf(values, nodes); ok {
			return known
		}
	case name == "list":
		return listOf(values)
	case name == "include" || name == "template":
		return w.include(values, nodes, s, at)
	case name == "tpl":
		for _, value := range values[:min(1, len(values))] {
			w.whole(value, at, s)
		}
		// What a file of the chart reads is not looked at: it may be anything.
		if len(nodes) > 1 && isOfFile(nodes[0].String(), s) {
			w.whole(values[1], at, s)
		}
		return anywhere
	case choosing[name]:
		for _, value := range values {
			w.add(value, false, at, s)
		}
		return w.chosen(values, s, at)
	case scalarFunctions[name]:
		before := len(w.found)
		for _, value := range values {
			w.add(value, false, at, s)
		}
		for i := before; i < len(w.found); i++ {
			w.found[i].compared = comparedIn(name, nodes)
		}
		return anywhere
	}
	for _, value := range values {
		w.whole(value, at, s)
	}
	return anywhere
}

// comparedIn are the texts in `eq .Values.type "daemon" "deployment"`.
func comparedIn(function string, nodes []parse.Node) (texts []string) {
	if function != "eq" && function != "ne" {
		return nil
	}
	for _, node := range nodes {
		if text, ok := literal(node); ok {
			texts = append(texts, text)
		}
	}
	return texts
}

// A text of a file, or a variable in a template that reads files.
func isOfFile(text string, s scope) bool {
	return strings.Contains(text, ".Files.") ||
		(strings.HasPrefix(text, "$") && strings.Contains(s.tree.Root.String(), ".Files."))
}

func listOf(values []where) where {
	members := map[string]where{}
	for i, value := range values {
		members[strconv.Itoa(i)] = value
	}
	return where{kind: "list", members: members}
}

// dictOf is false where a key is not known: it may be any.
func dictOf(values []where, nodes []parse.Node) (where, bool) {
	members := map[string]where{}
	for i := 0; i+1 < len(values); i += 2 {
		key, ok := literal(nodes[i])
		if !ok {
			return anywhere, false
		}
		members[key] = values[i+1]
	}
	return where{kind: "dict", members: members}, true
}

// One of several: of two that may have values below, both are handed on.
func (w *readWalk) chosen(values []where, s scope, at parse.Node) where {
	chosen, count := anywhere, 0
	for _, value := range values {
		if value.kind != anywhere.kind {
			chosen = value
			count++
		}
	}
	if count < 2 {
		return chosen
	}
	for _, value := range values {
		w.whole(value, at, s)
	}
	return anywhere
}

func literal(node parse.Node) (string, bool) {
	text, ok := node.(*parse.StringNode)
	if !ok {
		return "", false
	}
	return text.Text, true
}

// `index .Values "a" "b"`
func (w *readWalk) member(values []where, nodes []parse.Node, s scope, at parse.Node) where {
	if len(nodes) == 0 {
		return anywhere
	}
	// What is piped in comes last, though it is what is looked into.
	base := values[0]
	keys := []string{}
	for _, node := range nodes[1:] {
		key, ok := literal(node)
		if !ok {
			if number, isNumber := node.(*parse.NumberNode); isNumber && number.IsInt {
				key, ok = "*", true
				if base.kind == "list" {
					key = number.Text
				}
			}
		}
		// Any key, but not of all values: each of them has a name that is known somewhere.
		if !ok && base.kind == "values" && len(base.path)+len(keys) > 0 {
			key, ok = "*", true
		}
		if !ok {
			w.whole(base, at, s)
			return anywhere
		}
		keys = append(keys, key)
	}
	if len(values) > len(nodes) {
		w.whole(values[len(values)-1], at, s)
	}
	found := below(base, keys)
	w.add(found, false, at, s)
	return found
}

// `dig "a" "b" default .Values`
func (w *readWalk) dig(values []where, nodes []parse.Node, s scope, at parse.Node) where {
	base := values[len(values)-1]
	keys := []string{}
	for _, node := range nodes[:len(values)-2] {
		key, ok := literal(node)
		if !ok {
			w.whole(base, at, s)
			return anywhere
		}
		keys = append(keys, key)
	}
	found := below(base, keys)
	w.add(found, false, at, s)
	return found
}

func (w *readWalk) include(values []where, nodes []parse.Node, s scope, at parse.Node) where {
	if len(nodes) == 0 || len(values) < 2 {
		return anywhere
	}
	name, ok := literal(nodes[0])
	// A file of the chart, for its checksum: it is read on its own.
	if !ok && values[1].kind == "root" && strings.Contains(nodes[0].String(), ".Template.BasePath") {
		return anywhere
	}
	if !ok {
		w.whole(values[1], at, s)
		return anywhere
	}
	w.call(name, values[1], at, s)
	return anywhere
}

func (w *readWalk) call(name string, dot where, at parse.Node, s scope) {
	w.add(dot, false, at, s)
	if tree := w.trees[name]; tree != nil {
		w.template(tree, dot)
		return
	}
	w.whole(dot, at, s)
}

func (w *readWalk) whole(value where, at parse.Node, s scope) { w.add(value, true, at, s) }

// The root that is handed on may be asked for all of its values.
func (w *readWalk) add(value where, isWhole bool, at parse.Node, s scope) {
	if (value.kind == "dict" || value.kind == "list") && isWhole {
		for _, member := range value.members {
			w.add(member, true, at, s)
		}
	}
	path := value.path
	isWhole = isWhole || len(path) == maxDepth
	if value.kind == "root" && isWhole {
		path = []string{}
	} else if value.kind != "values" {
		return
	}
	name, line := s.placeOf(at)
	w.found = append(w.found, valueRead{Path: path, Whole: isWhole, File: name, Line: line})
}

func (s scope) placeOf(node parse.Node) (string, int) {
	location, _ := s.tree.ErrorContext(node)
	parts := strings.Split(location, ":")
	line := 0
	if len(parts) >= 2 {
		for _, digit := range parts[len(parts)-2] {
			line = line*10 + int(digit-'0')
		}
	}
	return s.tree.ParseName, line
}
