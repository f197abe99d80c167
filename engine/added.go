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

// effectiveAdded are the added defaults by which the user gets what the old chart did not give.
func (u *upgrading) effectiveAdded(all []changedDefault) (found []changedDefault, isCut bool) {
	before, err := u.old.objects()
	after, errNow := u.now.objects()
	if err != nil || errNow != nil {
		return nil, false
	}
	added := addition{u.now, fieldsOf(before), fieldsOf(after), after}
	count := map[string]int{}
	for _, each := range added.among(all) {
		top := u.newestOf(each.Path)
		if count[keyOf(top)]++; count[keyOf(top)] == 1 {
			found = append(found, each)
		} else {
			value, _ := valueAt(u.now.plain.values, top)
			found[len(found)-1] = changedDefault{Path: top, To: &value}
		}
	}
	return found, u.now.isCut
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

// among are those by which a field is other than it was. Of several at once that have none such none is.
func (a addition) among(all []changedDefault) []changedDefault {
	if len(all) == 0 || a.isOver() {
		return nil
	}
	result, ok := a.try(a.renderingWith(all))
	if !ok && len(all) == 1 {
		// The chart does not go without it: another value shows what it does.
		var results [2]trialResult
		isChanged := func(result trialResult, _ replacement) bool { return len(result) > 0 }
		results, _, ok = a.agreed(valueLeaf{steps(all[0].Path), *all[0].To}, a.readersOfAny(all[0].Path), isChanged)
		result = results[0]
	}
	switch {
	case ok && !a.isOther(result), !ok && len(all) == 1:
		return nil
	case len(all) == 1:
		return all
	}
	return append(a.among(all[:len(all)/2:len(all)/2]), a.among(all[len(all)/2:])...)
}

// isOther is true where a field is another one than in the trial, and than in the old chart.
func (a addition) isOther(result trialResult) bool {
	own, without := []object{}, []object{}
	for template, objects := range result {
		own, without = append(own, of(a.objects, template)...), append(without, objects...)
	}
	now, then := fieldsOf(own), fieldsOf(without)
	for _, fields := range []map[string]string{now, then} {
		for key := range fields {
			if now[key] != then[key] && a.after[key] != a.before[key] {
				return true
			}
		}
	}
	return false
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
