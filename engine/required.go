package main

import (
	"encoding/json"
	"slices"
)

// requiredBy are the keys that the schemas of a chart and its subcharts require, and that no value has.
func (w *world) requiredBy() [][]string {
	found := [][]string{}
	for _, part := range w.chart.parts() {
		var schema any
		if json.Unmarshal(part.schema, &schema) != nil {
			continue
		}
		own, isThere := valueAt(w.usual.user, part.keys)
		if !isThere && len(part.keys) > 0 {
			continue
		}
		user, _ := own.(map[string]any)
		s := requiredWalk{schemaReads{root: schema}, nil}
		s.walk(schema, over(user, part.values), part.keys, 0)
		found = append(found, s.missing...)
	}
	return found
}

// over gives values with defaults below them.
func over(user, defaults map[string]any) map[string]any {
	all := copiedMap(defaults)
	if all == nil {
		all = map[string]any{}
	}
	for key, each := range user {
		mapping, isMapping := each.(map[string]any)
		if inner, ok := all[key].(map[string]any); ok && isMapping {
			all[key] = over(mapping, inner)
		} else if each == nil {
			delete(all, key)
		} else {
			all[key] = each
		}
	}
	return all
}

type requiredWalk struct {
	schemaReads
	missing [][]string
}

// walk follows what holds whatever the values are.
func (s *requiredWalk) walk(schema any, value any, path []string, depth int) {
	rules, ok := schema.(map[string]any)
	mapping, isMapping := value.(map[string]any)
	if !ok || !isMapping || depth > maxDepth {
		return
	}
	if reference, ok := rules["$ref"].(string); ok {
		found, _ := s.at(reference)
		s.walk(found, value, path, depth+1)
	}
	for _, key := range requiredIn(rules) {
		if _, isThere := mapping[key]; !isThere {
			s.missing = append(s.missing, append(slices.Clone(path), key))
		}
	}
	properties, _ := rules["properties"].(map[string]any)
	for _, key := range sortedKeys(properties) {
		if each, isThere := mapping[key]; isThere {
			s.walk(properties[key], each, append(slices.Clone(path), key), depth+1)
		}
	}
	all, _ := rules["allOf"].([]any)
	for _, each := range all {
		s.walk(each, value, path, depth+1)
	}
}
