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

// effective are the changed defaults by which the user gets other than before.
func (u *upgrading) effective(all []changedDefault, common func(string) string) []changedDefault {
	before, err := u.old.objects()
	after, errNow := u.now.objects()
	if err != nil || errNow != nil {
		return nil
	}
	trial := trialOfDefaults{u.now, u.old, fieldsOf(before, common), fieldsOf(after, common), after, common}
	found := trial.among(all)
	found = append(found, trial.together(all, found)...)
	place := func(each changedDefault) int {
		return slices.IndexFunc(all, func(other changedDefault) bool { return slices.Equal(other.Path, each.Path) })
	}
	slices.SortFunc(found, func(a, b changedDefault) int { return place(a) - place(b) })
	return found
}

// effectiveChanged are those of defaults that the old chart has: another version in them is another value.
func (u *upgrading) effectiveChanged(all []changedDefault) []changedDefault {
	return u.effective(all, func(text string) string { return text })
}

// effectiveAdded are those of added ones, by the newest keys that they are in. A newer version in a new place is none.
func (u *upgrading) effectiveAdded(all []changedDefault) (found []changedDefault) {
	count := map[string]int{}
	for _, each := range u.effective(all, unversioned) {
		top := u.newestOf(each.Path)
		if count[keyOf(top)]++; count[keyOf(top)] == 1 {
			found = append(found, each)
		} else {
			value, _ := valueAt(u.now.plain.values, top)
			found[len(found)-1] = changedDefault{Path: top, To: &value}
		}
	}
	return found
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
type trialOfDefaults struct {
	*world
	old           *world
	before, after map[string]string
	objects       []object
	common        func(string) string
}

// among are those by which a field is other than it was. Of several at once that have none such none is.
func (t trialOfDefaults) among(all []changedDefault) []changedDefault {
	if len(all) == 0 || t.isOver() {
		return nil
	}
	result, ok := t.try(t.renderingWith(all))
	switch {
	case ok && !t.isOther(result):
		return nil
	case len(all) == 1 && (ok || t.isOtherwise(&all[0])):
		return all
	case len(all) == 1:
		return nil
	}
	return append(t.among(all[:len(all)/2:len(all)/2]), t.among(all[len(all)/2:])...)
}

// together are those of the others that change a field only with each other; as few as do.
func (t trialOfDefaults) together(all, found []changedDefault) []changedDefault {
	isFound := func(each changedDefault) bool {
		return slices.ContainsFunc(found, func(other changedDefault) bool { return slices.Equal(other.Path, each.Path) })
	}
	rest := slices.DeleteFunc(slices.Clone(all), isFound)
	if !t.areOther(rest) {
		return nil
	}
	for i := 0; i < len(rest); {
		if fewer := slices.Delete(slices.Clone(rest), i, i+1); t.areOther(fewer) {
			rest = fewer
		} else {
			i++
		}
	}
	return rest
}

func (t trialOfDefaults) areOther(all []changedDefault) bool {
	if len(all) == 0 || t.isOver() {
		return false
	}
	result, ok := t.try(t.renderingWith(all))
	return ok && t.isOther(result)
}

// isOtherwise judges a default that the new chart cannot be rendered without, or with: by another value in the chart that has it.
func (t trialOfDefaults) isOtherwise(each *changedDefault) bool {
	each.IsRefused = each.From != nil
	if each.From != nil && each.To != nil {
		return true
	}
	world, value := t.old, each.From
	if each.From == nil {
		world, value = t.world, each.To
	}
	isChanged := func(result trialResult, _ replacement) bool { return len(result) > 0 }
	results, _, ok := world.agreed(valueLeaf{steps(each.Path), *value}, world.readersOfAny(each.Path), isChanged)
	if each.From != nil {
		return ok && len(results[0]) > 0
	}
	return ok && t.isOther(results[0])
}

// isOther is true where a field is another one than in the trial, and than in the old chart.
func (t trialOfDefaults) isOther(result trialResult) bool {
	own, without := []object{}, []object{}
	for template, objects := range result {
		own, without = append(own, of(t.objects, template)...), append(without, objects...)
	}
	now, then := fieldsOf(own, t.common), fieldsOf(without, t.common)
	for _, fields := range []map[string]string{now, then} {
		for key := range fields {
			if now[key] != then[key] && t.after[key] != t.before[key] {
				return true
			}
		}
	}
	return false
}

// fieldsOf are the texts of all fields of objects. @param common a text without what is other in each version of a chart
func fieldsOf(objects []object, common func(string) string) map[string]string {
	all := map[string]string{}
	for _, object := range objects {
		for _, each := range object.leaves() {
			path, _ := namedSteps(object.root, each.path)
			key := fieldName{Kind: object.kind, Name: object.namespace + "/" + object.name, Path: path}.key("")
			// Elements without names are known by their order.
			for _, isTaken := all[key]; isTaken; _, isTaken = all[key] {
				key += "+"
			}
			all[key] = kindOf(each.node) + common(each.node.Value)
		}
	}
	return all
}
