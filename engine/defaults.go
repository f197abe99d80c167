package main

import (
	"reflect"
	"slices"
)

// A default that the user does not set, and that is another one in the new chart.
type changedDefault struct {
	Path []string `json:"path"`
	// Absent where a chart has none, and where something of a Secret may be in it.
	From *any `json:"from,omitempty"`
	To   *any `json:"to,omitempty"`
	// The new chart does not take the old value.
	IsRefused bool `json:"refused,omitempty"`
}

// defaultsBetween are the defaults that differ. @param set the paths that the user sets
func defaultsBetween(old, now map[string]any, path []string, set map[string]bool, all []changedDefault) []changedDefault {
	keys := map[string]bool{}
	for _, values := range []map[string]any{old, now} {
		for key := range values {
			keys[key] = true
		}
	}
	for _, key := range sortedKeys(keys) {
		own := append(slices.Clone(path), key)
		// Of a subchart they are those of its parent: what the user sets there may be in them.
		if set[keyOf(own)] || (key == "global" && len(path) > 0) {
			continue
		}
		from, wasThere := old[key]
		to, isThere := now[key]
		inner, wasMapping := from.(map[string]any)
		other, isMapping := to.(map[string]any)
		if isMapping && (wasMapping || !wasThere) && (hasSetBelow(own, set) || wasThere) {
			all = defaultsBetween(inner, other, own, set, all)
			continue
		}
		if hasSetBelow(own, set) || (wasThere && isThere && reflect.DeepEqual(from, to)) {
			continue
		}
		found := changedDefault{Path: own}
		if wasThere {
			found.From = &from
		}
		if isThere {
			found.To = &to
		}
		all = append(all, found)
	}
	return all
}

func hasSetBelow(path []string, set map[string]bool) bool {
	for key := range set {
		if startsWithKeys(key, path) {
			return true
		}
	}
	return false
}

// effective are the defaults by which the new chart renders otherwise: with the old one in its place the texts are others.
func (w *world) effective(all []changedDefault) (found []changedDefault, isCut bool) {
	switch {
	case len(all) == 0:
		return nil, false
	case w.isOver():
		return nil, true
	}
	same, ok := w.rendersSameWith(all)
	switch {
	case ok && same:
		return nil, false
	case len(all) == 1:
		all[0].IsRefused = !ok
		return all, false
	}
	first, isFirstCut := w.effective(all[:len(all)/2])
	second, isSecondCut := w.effective(all[len(all)/2:])
	return append(first, second...), isFirstCut || isSecondCut
}

// rendersSameWith renders with old defaults. False for ok if the chart refuses them.
func (w *world) rendersSameWith(defaults []changedDefault) (same, ok bool) {
	r := w.usual
	r.isTrial = true
	if slices.ContainsFunc(defaults, func(each changedDefault) bool { return w.isShared(steps(each.Path)) }) {
		r.user, r.trees = withDefaults(copiedMap(r.user), defaults, true), nil
	} else {
		r.values = withDefaults(copiedMap(w.plain.values), defaults, false)
	}
	found, err := w.render(r)
	return err == nil && w.isPlain(found), err == nil
}

// withDefaults puts defaults into values. @param isUser true for those of a user: a null there takes a default away
func withDefaults(values map[string]any, defaults []changedDefault, isUser bool) map[string]any {
	if values == nil {
		values = map[string]any{}
	}
	for _, each := range defaults {
		switch {
		case each.From != nil:
			values, _ = set(values, nil, steps(each.Path), copied(*each.From)).(map[string]any)
		case isUser:
			values, _ = set(values, nil, steps(each.Path), nil).(map[string]any)
		default:
			remove(values, each.Path)
		}
	}
	return values
}
