package main

import "slices"

// A value of the user that does nothing.
type unreadValue struct {
	Path []string `json:"path"`
	// That nothing reads it is known by syntax trees, or only that nothing changes without it.
	IsTried bool `json:"tried,omitempty"`
	override
}

// unreadAmong are the values that the chart does not read: it renders the same without all of them, and no template, schema or
// subchart names them. Where all values are handed on, only trials decide, and only about keys that the chart has no default for.
func (w *world) unreadAmong(all []override) []unreadValue {
	known := w.readsOfAll()
	isFine := func(some []override) bool {
		return !w.isOver() && w.rendersSame(without(w.usual.user, some), w.decidesAny(some))
	}
	kept, tried := settle(known.unreadIn(all), nil, isFine), []override{}
	count := len(kept)
	for _, each := range all {
		if known.of(each.path) == mayBeRead && !known.hasDefault(each.path) && w.changesNothing(each) {
			tried = append(tried, each)
		}
	}
	found := []unreadValue{}
	for i, each := range settle(tried, kept, isFine) {
		found = append(found, unreadValue{each.path, i >= count, each})
	}
	return found
}

// unreadIn are those of some values of which syntax trees say that nothing reads them.
func (c chartReads) unreadIn(all []override) []override {
	return slices.DeleteFunc(slices.Clone(all), func(each override) bool { return c.of(each.path) != isUnread })
}

// removable are those of some values that can go, all at once: the chart renders the same, and as Helm does, with its schemas.
func (w *world) removable(all []override, paths [][]string) [][]string {
	asked := map[string]bool{}
	for _, each := range paths {
		asked[keyOf(each)] = true
	}
	some := []override{}
	for _, each := range all {
		if asked[keyOf(each.path)] {
			some = append(some, each)
		}
	}
	isFine := func(some []override) bool {
		user := without(w.usual.user, some)
		return !w.isOver() && w.rendersSame(user, w.decidesAny(some)) && w.rendersWith(user) == nil
	}
	found := [][]string{}
	for _, each := range settle(some, nil, isFine) {
		found = append(found, each.path)
	}
	return found
}

// isIdle is true of a value without which nothing changes, and with no other one.
func (w *world) isIdle(each override) bool {
	some := []override{each}
	return w.changesNothing(each) && w.rendersSame(without(w.usual.user, some), w.decidesAny(some))
}

// changesNothing is true where other values in place of one change nothing.
func (w *world) changesNothing(each override) bool {
	if w.isOver() {
		return false
	}
	isChanged := func(result trialResult, _ replacement) bool { return len(result) > 0 }
	results, _, ok := w.decided(valueLeaf{steps(each.path), each.value}, nil, isChanged)
	return ok && len(results[0]) == 0 && len(results[1]) == 0
}

// hasDefault is true where a chart sets a value at the path, or above it.
func (c chartReads) hasDefault(path []string) bool {
	for _, part := range c.parts {
		own := path
		if len(own) < len(part.keys) {
			continue
		}
		if !samePath(steps(own[:len(part.keys)]), steps(part.keys)) {
			continue
		}
		if _, ok := valueAt(part.values, own[len(part.keys):]); ok && len(own) > len(part.keys) {
			return true
		}
	}
	return false
}

// What `unread` takes beside the chart.
type unreadAsked struct {
	// In place of all that nothing reads: values of which is asked whether the chart renders the same without them.
	Paths       [][]string
	MostRenders int
}

// answerUnread answers which values of the user nothing reads, or which of some can go without changing a byte.
func (w *world) answerUnread(r *request, a *answer) error {
	asked := unreadAsked{MostRenders: 400}
	if err := r.arguments(&asked); err != nil {
		return err
	}
	w.most = asked.MostRenders
	all := overridesIn(w.usual.user, nil, nil)
	if asked.Paths != nil {
		a.results["removable"] = w.removable(all, asked.Paths)
		return nil
	}
	a.results["unread"] = w.unreadAmong(all)
	return nil
}

// unrendered answers for a chart that does not render: only what syntax trees say.
func (w *world) unrendered(a *answer) {
	if w.chart == nil {
		w.chart = w.incomplete
	}
	if w.chart == nil {
		return
	}
	found := []unreadValue{}
	for _, each := range w.readsOfAll().unreadIn(overridesIn(w.usual.user, nil, nil)) {
		found = append(found, unreadValue{each.path, false, each})
	}
	a.results["unread"] = found
}
