package main

import (
	"slices"
)

// addedDefaults are the defaults that only the new chart has: a mapping that is new counts as the values in it.
func addedDefaults(old, now map[string]any, path []string, set map[string]bool, all []changedDefault) []changedDefault {
	for _, key := range sortedKeys(now) {
		own := append(slices.Clone(path), key)
		if set[keyOf(own)] || (key == "global" && len(path) > 0) {
			continue
		}
		to := now[key]
		from, wasThere := old[key]
		inner, wasMapping := from.(map[string]any)
		other, isMapping := to.(map[string]any)
		if isMapping && len(other) > 0 && (wasMapping || !wasThere) {
			all = addedDefaults(inner, other, own, set, all)
		} else if !wasThere {
			all = append(all, changedDefault{Path: own, To: &to})
		}
	}
	return all
}

// A mapping that is new is named in place of so many values in it.
const fewInMapping = 2

// effectiveAdded are the added defaults by which the user gets what the old chart did not give.
func (u *upgrading) effectiveAdded(all []changedDefault) (found []changedDefault, isCut bool) {
	before, err := u.old.objects()
	after, errNow := u.now.objects()
	some, isCut := u.now.effective(all)
	if err != nil || errNow != nil {
		return nil, isCut
	}
	added := addition{u.now, fieldsOf(before), fieldsOf(after), after}
	count := map[string]int{}
	for _, each := range some {
		top := u.newestOf(each.Path)
		if count[keyOf(top)] >= fewInMapping || !added.isBy(each) {
			continue
		}
		if count[keyOf(top)]++; count[keyOf(top)] == fewInMapping {
			value, _ := valueAt(u.now.plain.values, top)
			found[len(found)-1] = changedDefault{Path: top, To: &value}
		} else {
			found = append(found, each)
		}
	}
	return found, isCut
}

// newestOf is the start of a path down to the first key that the old chart lacks, and below which the user sets nothing.
func (u *upgrading) newestOf(path []string) []string {
	for length := range path {
		_, wasThere := valueAt(u.old.plain.values, path[:length+1])
		if _, isSet := valueAt(u.now.usual.user, path[:length+1]); !wasThere && !isSet {
			return path[:length+1]
		}
	}
	return path
}

// What objects have in the old chart, and in the new one.
type addition struct {
	*world
	before, after map[string]string
	objects       []object
}

// isBy is true where the default makes a field other than it was, and than it is without the default; or with another value,
// where the chart does not go without.
func (a addition) isBy(each changedDefault) bool {
	result, ok := a.try(a.renderingWith([]changedDefault{each}))
	if !ok {
		var results [2]trialResult
		isChanged := func(result trialResult, _ replacement) bool { return len(result) > 0 }
		results, _, ok = a.agreed(valueLeaf{steps(each.Path), *each.To}, a.readersOfAny(each.Path), isChanged)
		result = results[0]
	}
	if !ok {
		return false
	}
	own, without := []object{}, []object{}
	for template, objects := range result {
		own, without = append(own, of(a.objects, template)...), append(without, objects...)
	}
	now, then := fieldsOf(own), fieldsOf(without)
	isOther := func(fields map[string]string) bool {
		for key := range fields {
			if now[key] != then[key] && a.after[key] != a.before[key] {
				return true
			}
		}
		return false
	}
	return isOther(now) || isOther(then)
}

// fieldsOf are the texts of all fields of objects. A new version of a chart has other versions, which count as the same.
func fieldsOf(objects []object) map[string]string {
	all := map[string]string{}
	for _, object := range objects {
		for _, each := range object.leaves() {
			path, _ := namedSteps(object.root, each.path)
			key := fieldName{object.kind, object.namespace + "/" + object.name, path}.key("")
			// Elements without names are known by their order.
			for _, isTaken := all[key]; isTaken; _, isTaken = all[key] {
				key += "+"
			}
			all[key] = kindOf(each.node) + unversioned(each.node.Value)
		}
	}
	return all
}
