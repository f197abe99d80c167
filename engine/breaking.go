package main

// A value with which the chart does not render, though it does without.
type breakingValue struct {
	Path []string `json:"path"`
	// Helm's.
	Reason string `json:"reason"`
	// What the default was and is, in one word; empty where there is none.
	Was string `json:"was,omitempty"`
	Is  string `json:"is,omitempty"`
	override
}

// breaking finds the values of the user that keep the chart from rendering: it renders without all of them, and with any of them
// it does not. None where that is not found.
func (w *world) breaking(all []override) []breakingValue {
	user := w.usual.user
	renders := func(kept []override) bool {
		return !w.isOver() && w.rendersWith(without(user, complement(all, kept))) == nil
	}
	removed := []override{}
	if renders(nil) {
		removed = complement(all, settle(all, nil, renders))
	} else {
		removed = w.lone(all)
	}
	found := []breakingValue{}
	for _, each := range removed {
		others := complement(removed, []override{each})
		if err := w.rendersWith(without(user, others)); err != nil {
			found = append(found, breakingValue{Path: each.path, Reason: err.Error(), override: each})
		}
	}
	return found
}

// lone finds one value without which the chart renders, where it does not without any values.
func (w *world) lone(all []override) []override {
	for _, each := range all {
		if w.isOver() {
			return nil
		}
		if w.rendersWith(without(w.usual.user, []override{each})) == nil {
			return []override{each}
		}
	}
	return nil
}

// rendersWith renders as Helm does: schemas are applied, too.
func (w *world) rendersWith(user map[string]any) error {
	r := w.usual
	r.user, r.trees = user, nil
	found, err := w.render(r)
	if err != nil {
		return err
	}
	documents, err := w.documentsOf(found.texts)
	if err != nil {
		return err
	}
	_, err = objectsOf(documents)
	return err
}

func complement(all, some []override) []override {
	known := map[string]bool{}
	for _, each := range some {
		known[keyOf(each.path)] = true
	}
	left := []override{}
	for _, each := range all {
		if !known[keyOf(each.path)] {
			left = append(left, each)
		}
	}
	return left
}
