package main

import "slices"

// So many keys of a mapping are tried one by one.
const fewKeys = 20

// collectionRead is the mapping or list that a read looks at, or goes through.
func collectionRead(read valueRead) (path []any, isRange bool) {
	keys := read.Path
	if last := len(keys) - 1; last > 0 && keys[last] == "*" {
		keys, isRange = keys[:last], true
	}
	if slices.Contains(keys, "*") {
		return nil, false
	}
	return steps(keys), isRange
}

// askCollections tries mappings and lists without what is in them, where a condition or a loop around a leaf reads them. A loop
// reads the whole, too: its keys come first.
func (w *world) askCollections(b *blamedObject, isNear func(valueRead) bool) {
	asked := map[string]bool{}
	for _, isRange := range []bool{true, false} {
		for _, read := range w.readsOf(b.object.template).reads {
			path, isOfRange := collectionRead(read)
			if isOfRange != isRange || !isNear(read) || len(path) == 0 || asked[keyOf(read.Path)] {
				continue
			}
			asked[keyOf(read.Path)] = true
			for _, each := range w.partsOf(path, isRange) {
				w.askWithout(b, each)
			}
		}
	}
}

// partsOf are the keys of a mapping that a template goes through; else the path itself, if there is something in it.
func (w *world) partsOf(path []any, isRange bool) (parts [][]any) {
	value, _ := valueAt(w.plain.values, stringsOf(path))
	switch v := value.(type) {
	case map[string]any:
		if !isRange && len(v) > 0 {
			return [][]any{path}
		}
		for _, key := range sortedKeys(v)[:min(len(v), fewKeys)] {
			parts = append(parts, append(slices.Clone(path), key))
		}
	case []any:
		if len(v) > 0 {
			parts = [][]any{path}
		}
	}
	return parts
}

func stringsOf(path []any) (keys []string) {
	for _, each := range path {
		key, _ := each.(string)
		keys = append(keys, key)
	}
	return keys
}

// askWithout claims what goes without a value, and has no value in it or below it as its reason already.
func (w *world) askWithout(b *blamedObject, path []any) {
	found, ok := w.tryWithout(b.only, path)
	if !ok || w.isOver() {
		return
	}
	isKnown := func(all []claim) bool {
		return slices.ContainsFunc(all, func(each claim) bool { return startsWith(each.Path, path) })
	}
	exists := claim{Path: path, How: "exists"}
	b.each(found, replacement{}, func(l *blamedLeaf, how string) {
		if how == "exists" && !isKnown(l.Values) {
			l.Values = append(l.Values, exists)
		}
	}, func() {
		if !isKnown(b.Exists) {
			b.Exists = append(b.Exists, exists)
		}
	})
}

// tryWithout renders without a key, or with an empty list. Not where Helm would coalesce all values again.
func (w *world) tryWithout(only map[string]bool, path []any) (trialResult, bool) {
	if len(path) == 0 || w.isShared(path) {
		return nil, false
	}
	r := w.usual
	r.isTrial, r.only, r.values = true, only, copiedMap(w.plain.values)
	keys := stringsOf(path)
	value, _ := valueAt(r.values, keys)
	if _, isList := value.([]any); isList {
		r.values, _ = set(r.values, nil, path, []any{}).(map[string]any)
		return w.try(r)
	}
	above, _ := valueAt(r.values, keys[:len(keys)-1])
	mapping, ok := above.(map[string]any)
	if !ok {
		return nil, false
	}
	delete(mapping, keys[len(keys)-1])
	return w.try(r)
}
