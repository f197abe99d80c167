package main

import (
	"slices"
	"strings"
)

// Two trials in which all secret values are other ones, and whether any of them is known.
type secretTrials struct {
	results []trialResult
	isAsked bool
	// The texts of secret values, to cover where they are in names and keys.
	texts []string
}

func (w *world) trySecrets(secrets [][]any, only map[string]bool) {
	w.secrets = secretTrials{isAsked: len(secrets) > 0}
	values := []valueLeaf{}
	for _, each := range w.leaves {
		if slices.ContainsFunc(secrets, func(secret []any) bool { return startsWith(each.path, secret) }) {
			values = append(values, each)
			if text, ok := each.value.(string); ok && len(text) > 2 {
				w.secrets.texts = append(w.secrets.texts, text)
			}
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

// covered is a name or a key without secret values.
func (w *world) covered(text string) string {
	for _, each := range w.secrets.texts {
		text = strings.ReplaceAll(text, each, "…")
	}
	return text
}

func (w *world) coveredPath(path []any) []any {
	all := slices.Clone(path)
	for i, each := range all {
		if text, ok := each.(string); ok {
			all[i] = w.covered(text)
		}
	}
	return all
}
