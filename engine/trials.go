package main

import (
	"encoding/base64"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// A value of a chart that may be changed: a scalar, or an empty mapping or list.
type valueLeaf struct {
	path  []any
	value any
}

func valueLeaves(value any, path []any, all []valueLeaf) []valueLeaf {
	switch v := value.(type) {
	case map[string]any:
		for _, key := range sortedKeys(v) {
			all = valueLeaves(v[key], append(slices.Clone(path), key), all)
		}
		if len(v) > 0 {
			return all
		}
	case []any:
		for i, each := range v {
			all = valueLeaves(each, append(slices.Clone(path), i), all)
		}
		if len(v) > 0 {
			return all
		}
	}
	return append(all, valueLeaf{path, value})
}

// A value in place of another one, and the text to look for in what is rendered. A text that is put back shows that a leaf
// carries the value.
type replacement struct {
	value     any
	text, old string
	// Whether texts are put back: not for what has no text.
	isText bool
}

func (r replacement) undo(text string) string {
	if !r.isText || r.text == "" {
		return text
	}
	return strings.ReplaceAll(text, r.text, r.old)
}

var numeric = regexp.MustCompile(`^-?\d+(\.\d+)?$`)
var digits = regexp.MustCompile(`\d+`)

// replacements are pairs of other values of the same type. The next pair is for a chart that refuses the one before.
func (w *world) replacements(value any) [][2]replacement {
	first, second := w.words[0], w.words[1]
	both := func(a, b any) [2]replacement { return [2]replacement{{value: a}, {value: b}} }
	texts := func(a, b, old string) [2]replacement {
		return [2]replacement{{a, a, old, true}, {b, b, old, true}}
	}
	switch v := value.(type) {
	case bool:
		flip := replacement{!v, strconv.FormatBool(!v), strconv.FormatBool(v), false}
		return [][2]replacement{{flip, flip}}
	case float64:
		return [][2]replacement{w.numbers(v)}
	case string:
		if numeric.MatchString(v) {
			number, _ := strconv.ParseFloat(v, 64)
			pair := w.numbers(number)
			return [][2]replacement{texts(pair[0].text, pair[1].text, v), texts(first, second, v)}
		}
		end := v[len(strings.TrimRight(v, "\n")):]
		all := [][2]replacement{texts(first+end, second+end, v)}
		if digits.MatchString(v) {
			all = append(all, texts(digits.ReplaceAllString(v, "613"), digits.ReplaceAllString(v, "787"), v))
		}
		if v == "" {
			all = append(all, texts("613", "787", v))
		}
		return all
	case []any:
		return [][2]replacement{both([]any{map[string]any{"name": first}}, []any{map[string]any{"name": second}}), both([]any{first}, []any{second})}
	case map[string]any:
		return [][2]replacement{
			both(map[string]any{first: second}, map[string]any{second: first}),
			both(map[string]any{first: map[string]any{"name": second}}, map[string]any{second: map[string]any{"name": first}}),
		}
	}
	return [][2]replacement{
		texts(first, second, ""),
		both(map[string]any{first: second}, map[string]any{second: first}),
		both([]any{first}, []any{second}),
		both(true, true),
	}
}

// numbers are of the size of the one that they replace, so that a loop over it ends.
func (w *world) numbers(old float64) [2]replacement {
	pair := [2]float64{613, 787}
	switch {
	case old != float64(int64(old)):
		pair = [2]float64{0.613, 0.787}
	case old >= 1000 || old <= -1000:
		pair = [2]float64{41357, 52673}
	}
	all := [2]replacement{}
	for i, each := range pair {
		if each == old {
			each++
		}
		all[i] = replacement{each, fmt.Sprint(each), fmt.Sprint(old), true}
	}
	return all
}

// Words that are in none of the contents, nor in what is rendered, of different lengths.
func unusedWords(contents ...string) [2]string {
	for number := 0; ; number++ {
		stem := "vf" + strings.ToLower(strings.TrimRight(base64.StdEncoding.EncodeToString([]byte(strconv.Itoa(number))), "="))
		if !slices.ContainsFunc(contents, func(each string) bool { return strings.Contains(each, stem) }) {
			return [2]string{stem + "q", stem + "xyk"}
		}
	}
}

// set gives values with one more. A list that is not there is taken from `all` values: a user's list replaces the chart's.
func set(user, all any, path []any, value any) any {
	if len(path) == 0 {
		return value
	}
	if index, ok := path[0].(int); ok {
		list, isList := user.([]any)
		if !isList {
			list, _ = copied(all).([]any)
		}
		known, _ := all.([]any)
		if index < len(list) {
			var inside any
			if index < len(known) {
				inside = known[index]
			}
			list[index] = set(list[index], inside, path[1:], value)
		}
		return list
	}
	key := path[0].(string)
	mapping, isMapping := user.(map[string]any)
	if !isMapping {
		mapping = map[string]any{}
	}
	known, _ := all.(map[string]any)
	mapping[key] = set(mapping[key], known[key], path[1:], value)
	return mapping
}

// What a trial gives: the objects of each template that renders otherwise than before, by its name without the chart's.
type trialResult map[string][]object

// try renders with other values, of some templates. False if the chart refuses.
func (w *world) try(r rendering) (trialResult, bool) {
	found, err := w.render(r)
	if err != nil {
		return nil, false
	}
	result, changed := trialResult{}, map[string]string{}
	for name, text := range found.texts {
		if text != w.byName[nameOf(name)] {
			changed[name], result[nameOf(name)] = text, nil
		}
	}
	for name := range w.plain.texts {
		if _, isThere := found.texts[name]; !isThere && r.chartName == "" && r.renders(name) && !isNotes(name) && w.plain.texts[name] != "" {
			result[nameOf(name)] = nil
		}
	}
	documents, err := w.documentsOf(changed)
	if err != nil {
		return nil, false
	}
	objects, err := objectsOf(documents)
	for _, each := range objects {
		name := nameOf(each.template)
		result[name] = append(result[name], each)
	}
	return result, err == nil
}

// changed is a trial with some values.
func (w *world) changed(only map[string]bool, values []valueLeaf, choose func(any) replacement) (trialResult, bool) {
	r := w.usual
	r.isTrial, r.only = true, only
	if slices.ContainsFunc(values, func(each valueLeaf) bool { return w.isShared(each.path) }) {
		r.user = copiedMap(r.user)
		for _, each := range values {
			r.user, _ = set(r.user, w.plain.values, each.path, choose(each.value).value).(map[string]any)
		}
		// Other charts may be deployed, whose templates are not parsed.
		r.trees = nil
		return w.try(r)
	}
	r.values = copiedMap(w.plain.values)
	for _, each := range values {
		r.values, _ = set(r.values, nil, each.path, choose(each.value).value).(map[string]any)
	}
	return w.try(r)
}

// isShared is true of a value that changes others, or what is deployed: Helm coalesces all values again for it.
func (w *world) isShared(path []any) bool {
	return w.plain.isImported || w.plain.decides(path) || slices.Contains(path, any("global"))
}

// What becomes of the leaves of an object: they follow a change, or go with it.
type followed struct {
	carries, derived, gone map[*yaml.Node]bool
	isGone                 bool
	// What leaves that change become.
	became map[*yaml.Node]*yaml.Node
	// Aliases of aliases end with it.
	steps *int
}

// follow compares an object with the one that a trial has in its place.
func follow(old object, other *object, r replacement) followed {
	f := followed{map[*yaml.Node]bool{}, map[*yaml.Node]bool{}, map[*yaml.Node]bool{}, other == nil, map[*yaml.Node]*yaml.Node{}, new(int)}
	if other != nil {
		f.nodes(old.root, other.root, r)
	}
	return f
}

func (f followed) nodes(old, new *yaml.Node, r replacement) {
	old, new = resolved(old), resolved(new)
	if *f.steps++; *f.steps > maxLeaves {
		return
	}
	switch {
	case new == nil:
		f.lost(old)
	case old.Kind == yaml.MappingNode && new.Kind == yaml.MappingNode && len(old.Content) > 0:
		for i := 0; i+1 < len(old.Content); i += 2 {
			f.nodes(old.Content[i+1], valueOf(new, old.Content[i].Value), r)
		}
	case old.Kind == yaml.SequenceNode && new.Kind == yaml.SequenceNode && len(old.Content) > 0:
		for i, partner := range partners(old.Content, new.Content, r) {
			f.nodes(old.Content[i], partner, r)
		}
	case len(old.Content) > 0:
		f.lost(old)
	default:
		f.scalar(old, new, r)
	}
}

func resolved(node *yaml.Node) *yaml.Node {
	for i := 0; node != nil && node.Kind == yaml.AliasNode && i < 100; i++ {
		node = node.Alias
	}
	return node
}

func (f followed) lost(node *yaml.Node) {
	node = resolved(node)
	if *f.steps++; *f.steps > maxLeaves {
		return
	}
	if len(node.Content) == 0 {
		f.gone[node] = true
	}
	for i, each := range node.Content {
		if node.Kind == yaml.SequenceNode || i%2 == 1 {
			f.lost(each)
		}
	}
}

func (f followed) scalar(old, new *yaml.Node, r replacement) {
	if old.Kind == new.Kind && old.Value == new.Value && kindOf(old) == kindOf(new) && len(new.Content) == 0 {
		return
	}
	f.became[old] = new
	isFlip := !r.isText && r.text != "" && old.Value == r.old && new.Value == r.text
	if isFlip || (r.isText && new.Kind == yaml.ScalarNode && old.Kind == yaml.ScalarNode && strings.Contains(new.Value, r.text) && r.undo(new.Value) == old.Value) {
		f.carries[old] = true
		return
	}
	f.derived[old] = true
}

// how is what becomes of a leaf; empty if nothing does.
func (f followed) how(node *yaml.Node) string {
	node = resolved(node)
	switch {
	case f.carries[node]:
		return "carries"
	case f.derived[node]:
		return "derived"
	case f.gone[node]:
		return "exists"
	}
	return ""
}

// partners are the elements of a new list in place of those of an old one: by place where both are as long, else those that are
// equal, or have the same name.
func partners(old, new []*yaml.Node, r replacement) []*yaml.Node {
	if len(old) == len(new) {
		return new
	}
	found, taken := make([]*yaml.Node, len(old)), map[int]bool{}
	same := func(a, b func(*yaml.Node) string) {
		for i, each := range old {
			for j, other := range new {
				if found[i] == nil && !taken[j] && a(each) != "" && a(each) == b(other) {
					found[i], taken[j] = other, true
				}
			}
		}
	}
	plain := replacement{}
	same(func(n *yaml.Node) string { return shape(n, plain, 0) }, func(n *yaml.Node) string { return shape(n, r, 0) })
	name := func(n *yaml.Node) string { return textAt(resolved(n), "name") }
	same(name, func(n *yaml.Node) string { return r.undo(name(n)) })
	return found
}

// shape is one text for nodes that say the same. Aliases are not followed: they may be very many.
func shape(node *yaml.Node, r replacement, depth int) string {
	if depth > 100 {
		return ""
	}
	var all strings.Builder
	fmt.Fprintf(&all, "%d%q", node.Kind, r.undo(node.Value))
	for _, each := range node.Content {
		all.WriteString(shape(each, r, depth+1))
	}
	return all.String() + ";"
}

// partnerOf is the object of a trial that is in the place of one of the chart's; nil if there is none.
func partnerOf(old object, before, after []object, r replacement) *object {
	key := func(o object, r replacement) string {
		return o.kind + "\x00" + r.undo(o.namespace) + "\x00" + r.undo(o.name)
	}
	// Of several objects of one name each has its own place among them.
	left := 0
	for _, each := range before {
		if each.root == old.root {
			break
		}
		if key(each, replacement{}) == key(old, replacement{}) {
			left++
		}
	}
	for i, each := range after {
		if key(each, r) == key(old, replacement{}) || key(each, replacement{}) == key(old, replacement{}) {
			if left == 0 {
				return &after[i]
			}
			left--
		}
	}
	// The name is another one, but all documents are where they were.
	if len(before) != len(after) {
		return nil
	}
	for i := range before {
		if before[i].kind != after[i].kind {
			return nil
		}
		if before[i].root == old.root {
			return &after[i]
		}
	}
	return nil
}
