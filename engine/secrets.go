package main

import (
	"regexp"
	"slices"

	"go.yaml.in/yaml/v3"
)

// Two trials in which all secret values are other ones, and whether any of them is known.
type secretTrials struct {
	results []trialResult
	isAsked bool
}

func (w *world) trySecrets(secrets [][]any, only map[string]bool) {
	w.secrets = secretTrials{isAsked: len(secrets) > 0}
	values := []valueLeaf{}
	for _, each := range w.leaves {
		if slices.ContainsFunc(secrets, func(secret []any) bool { return startsWith(each.path, secret) }) {
			values = append(values, each)
		}
	}
	for i := range 2 {
		if len(values) == 0 {
			w.secrets.isAsked = false
			return
		}
		if found, ok := w.changed(only, values, func(value any) replacement { return w.replacements(value)[0][i] }); ok {
			w.secrets.results = append(w.secrets.results, found)
		}
	}
}

// secretsOf says of the leaves of an object whether they are secret: data of Secrets, what changes with secret values, and all
// where the chart refuses other values. @param beside all objects of its template
func (w *world) secretsOf(o object, beside []object) func(leaf) bool {
	all := []followed{}
	for _, each := range w.secrets.results {
		if after, ok := each[nameOf(o.template)]; ok {
			all = append(all, follow(o, partnerOf(o, beside, after, replacement{}), replacement{}))
		}
	}
	return func(l leaf) bool {
		if o.kind == "Secret" && len(l.path) > 0 && (l.path[0] == "data" || l.path[0] == "stringData") {
			return true
		}
		if w.secrets.isAsked && len(w.secrets.results) == 0 {
			return true
		}
		return slices.ContainsFunc(all, func(f followed) bool { return f.isGone || f.how(l.node) != "" })
	}
}

// What is printed in place of a name or a key that another secret value makes otherwise.
const secretName = "(secret)"

// named is an object as it may be named.
func (w *world) named(o object, beside []object) object {
	shown := o
	for _, partner := range w.secretPartners(o, beside) {
		if partner == nil || partner.name != o.name {
			shown.name = secretName
		}
		if o.namespace != "" && (partner == nil || partner.namespace != o.namespace) {
			shown.namespace = secretName
		}
		if partner == nil && !w.writesKind(o) {
			shown.kind = secretName
		}
	}
	return shown
}

// writesKind is true of an object whose kind is in the text of its template.
func (w *world) writesKind(o object) bool {
	kind := regexp.MustCompile(`\bkind["']?: *["']?` + regexp.QuoteMeta(o.kind) + `\b`)
	return kind.MatchString(w.marker.texts[o.template])
}

// newObject is an object that only a trial has, as it may be printed: what secret values make of it is not tried.
func (w *world) newObject(o object, name string, before []object) object {
	if o.name = w.newName(name, before); !w.secrets.isAsked {
		return o
	}
	isKnown := func(each object) bool { return w.named(each, before).namespace == o.namespace }
	if o.namespace != "" && o.namespace != w.usual.namespace && !slices.ContainsFunc(before, isKnown) {
		o.namespace = secretName
	}
	if !w.writesKind(o) {
		o.kind = secretName
	}
	return o
}

// shownPath ends where another secret value makes another key.
func (w *world) shownPath(o object, beside []object, path []any) []any {
	for _, partner := range w.secretPartners(o, beside) {
		var at *yaml.Node
		if partner != nil {
			at = partner.root
		}
		for i, step := range path {
			at = stepIn(at, step)
			if key, isKey := step.(string); at == nil && isKey && key != "" {
				return append(slices.Clone(path[:i]), secretName)
			}
		}
	}
	return path
}

// newName is the name of an object that only a trial has: what secret values make of it is not tried.
func (w *world) newName(name string, before []object) string {
	isKnown := func(o object) bool { return o.name == name && w.named(o, before).name == name }
	if !w.secrets.isAsked || name == w.usual.release || slices.ContainsFunc(before, isKnown) {
		return name
	}
	return secretName
}

// newPath is the path of a leaf that only a trial has.
func (w *world) newPath(path []any, old *object) []any {
	if !w.secrets.isAsked {
		return path
	}
	at := old.root
	for i, step := range path {
		if at = stepIn(at, step); at == nil {
			return path[:i]
		}
	}
	return path
}

// secretPartners are what is in the place of an object with other secret values; nil where there is nothing, or nothing is known.
func (w *world) secretPartners(o object, beside []object) []*object {
	if !w.secrets.isAsked {
		return nil
	}
	if len(w.secrets.results) == 0 {
		return []*object{nil}
	}
	found := []*object{}
	for _, each := range w.secrets.results {
		if after, ok := each[nameOf(o.template)]; ok {
			found = append(found, partnerOf(o, beside, after, replacement{}))
		}
	}
	return found
}

func stepIn(node *yaml.Node, step any) *yaml.Node {
	node = resolved(node)
	if node == nil {
		return nil
	}
	switch own := step.(type) {
	case string:
		if node.Kind == yaml.MappingNode {
			return valueOf(node, own)
		}
	case int:
		if node.Kind == yaml.SequenceNode && own < len(node.Content) {
			return node.Content[own]
		}
	}
	return nil
}

// inBoth ends a path before a key that another trial does not make: it is made of what was tried.
func inBoth(path []any, other *object) []any {
	at := other.root
	for i, step := range path {
		if at = stepIn(at, step); at == nil {
			return path[:i]
		}
	}
	return path
}
