package main

import (
	"slices"
	"strings"
)

// What `upgrade` takes beside the two charts.
type upgradeAsked struct {
	Secrets     [][]any
	MostRenders int
}

// What a new version of a chart does to the values of its user.
type upgraded struct {
	// Why the new chart does not render without those that break it, either; the rest is not judged then.
	New string `json:"reason,omitempty"`
	// Values with which the new chart does not render.
	Breaks []breakingValue `json:"breaks"`
	// Values that nothing reads any more, and those that nothing read before.
	Dead       []unreadValue    `json:"dead"`
	DeadBefore []unreadValue    `json:"deadBefore"`
	Changed    []changedMeaning `json:"changed"`
	Defaults   []changedDefault `json:"defaults"`
	Required   [][]string       `json:"required"`
	// Values that do what they did; and how many defaults are others by which nothing changes.
	Same         [][]string `json:"same"`
	SameDefaults int        `json:"sameDefaults"`
	// Values that no trial could judge, and whether there were too many renders for the defaults.
	Untried   [][]string `json:"untried"`
	IsBounded bool       `json:"bounded,omitempty"`
}

// upgrade answers what a second chart does to the values that its user has for it. Those for the first chart count where it does
// not render with the others.
func upgrade(r *request, asked manifestsAsked, a *answer) error {
	given := upgradeAsked{MostRenders: 2000}
	if err := r.arguments(&given); err != nil {
		return err
	}
	now, errNow := newWorld(r, asked, "2", "2")
	if errNow != nil && now.chart == nil {
		return errNow
	}
	old, err := newWorld(r, asked, "", "2")
	if err != nil && r.has("values2") {
		old, err = newWorld(r, asked, "", "")
	}
	if err != nil {
		a.results["isOld"] = true
		return err
	}
	u := upgrading{old: old, now: now, secrets: given.Secrets}
	old.most, now.most = given.MostRenders, given.MostRenders
	u.judge(errNow)
	a.results["upgrade"] = u.upgraded
	return nil
}

type upgrading struct {
	old, now *world
	secrets  [][]any
	upgraded
}

func (u *upgrading) judge(errNow error) {
	u.upgraded = upgraded{Breaks: []breakingValue{}, Dead: []unreadValue{}, DeadBefore: []unreadValue{}, Changed: []changedMeaning{}, Defaults: []changedDefault{}, Required: [][]string{}, Same: [][]string{}, Untried: [][]string{}}
	all := overridesIn(u.now.usual.user, nil, nil)
	u.require()
	if errNow != nil {
		all = u.withoutBreaking(all)
		if u.New = u.reasonLeft(errNow); u.New != "" {
			return
		}
	}
	for _, each := range []*world{u.old, u.now} {
		each.prepareTrials()
		each.isPlaceless = true
		each.trySecrets(u.secrets, nil)
	}
	all = u.bury(all)
	u.compare(all)
	u.compareDefaults()
	u.IsBounded = u.old.isCut || u.now.isCut
}

// require finds what the new schema requires, and the old one did not.
func (u *upgrading) require() {
	old := u.old.requiredBy()
	for _, each := range u.now.requiredBy() {
		if !slices.ContainsFunc(old, func(known []string) bool { return slices.Equal(known, each) }) {
			u.Required = append(u.Required, each)
		}
	}
}

// withoutBreaking goes on without the values that break the new chart.
func (u *upgrading) withoutBreaking(all []override) []override {
	u.Breaks = append(u.Breaks, u.now.breaking(all)...)
	removed := []override{}
	for i, each := range u.Breaks {
		u.Breaks[i].Was, u.Breaks[i].Is = u.retyped(each.path)
		removed = append(removed, each.override)
	}
	if len(removed) > 0 {
		u.now.usual.user = without(u.now.usual.user, removed)
	}
	return complement(all, removed)
}

// reasonLeft is why the new chart does not render without them, either.
func (u *upgrading) reasonLeft(err error) string {
	if len(u.Breaks) > 0 {
		err = u.now.begin()
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

// retyped is what the default at a path, or nearest above it, was and is, where that differs.
func (u *upgrading) retyped(path []string) (was, is string) {
	for length := len(path); length > 0; length-- {
		was, is = u.old.defaultKind(path[:length]), u.now.defaultKind(path[:length])
		if was != is && was != "" && is != "" {
			return was, is
		}
	}
	return "", ""
}

// defaultKind is what a default is, in one word.
func (w *world) defaultKind(path []string) string {
	for _, part := range w.chart.parts() {
		if len(path) <= len(part.keys) || !slices.Equal(path[:len(part.keys)], part.keys) {
			continue
		}
		if value, ok := valueAt(part.values, path[len(part.keys):]); ok {
			switch value.(type) {
			case map[string]any:
				return "mapping"
			case []any:
				return "list"
			case nil:
				return ""
			}
			return "scalar"
		}
	}
	return ""
}

// bury takes out what nothing reads.
func (u *upgrading) bury(all []override) []override {
	dead := u.now.unreadAmong(all)
	buried := []override{}
	for _, each := range dead {
		buried = append(buried, each.override)
	}
	before := map[string]bool{}
	for _, each := range u.old.unreadAmong(buried) {
		before[keyOf(each.path)] = true
	}
	for _, each := range dead {
		if before[keyOf(each.path)] {
			u.DeadBefore = append(u.DeadBefore, each)
		} else {
			u.Dead = append(u.Dead, each)
		}
	}
	return complement(all, buried)
}

// compare compares what each value reaches in both charts.
func (u *upgrading) compare(all []override) {
	before, err := u.old.objects()
	after, errNow := u.now.objects()
	rendered, renderedNow := namesOf(before), namesOf(after)
	known := u.now.readsOfAll()
	for _, each := range all {
		was, wasTried := u.old.reachOf(each, before)
		is, isTried := u.now.reachOf(each, after)
		switch {
		case err != nil || errNow != nil || !wasTried || !isTried:
			u.Untried = append(u.Untried, each.path)
		default:
			lost, gained := was.less(is, renderedNow), is.less(was, rendered)
			switch {
			case len(lost)+len(gained) == 0:
				u.Same = append(u.Same, each.path)
			case len(is) == 0 && !known.names(each.path) && u.now.isIdle(each):
				u.Dead = append(u.Dead, unreadValue{each.path, true, each})
			default:
				u.Changed = append(u.Changed, changedMeaning{each.path, lost, gained})
			}
		}
	}
}

func (u *upgrading) compareDefaults() {
	set := map[string]bool{}
	for _, each := range overridesIn(u.now.usual.user, nil, nil) {
		set[keyOf(each.path)] = true
	}
	for _, each := range u.Breaks {
		set[keyOf(each.path)] = true
	}
	old, now := u.old.plain.values, u.now.plain.values
	u.judgeDefaults(defaultsBetween(old, now, nil, set, nil), u.effectiveChanged)
	u.judgeDefaults(addedDefaults(old, now, nil, set, nil), u.effectiveAdded)
}

// judgeDefaults lists those by which something changes. One may be named by the mapping that it is in.
func (u *upgrading) judgeDefaults(all []changedDefault, effective func([]changedDefault) []changedDefault) {
	known := u.now.readsOfAll()
	read := slices.DeleteFunc(slices.Clone(all), func(each changedDefault) bool { return known.of(each.Path) == isUnread })
	found := effective(read)
	for _, each := range all {
		if !slices.ContainsFunc(found, func(other changedDefault) bool { return startsWith(steps(each.Path), steps(other.Path)) }) {
			u.SameDefaults++
		}
	}
	// What is imported may be from a Secret, wherever it is.
	isHidden := len(u.secrets) > 0 && (u.old.plain.isImported || u.now.plain.isImported)
	for _, each := range found {
		if isHidden {
			each.From, each.To = nil, nil
		}
		u.Defaults = append(u.Defaults, each)
	}
}

func keyOf(path []string) string { return strings.Join(path, "\x00") }

func keysIn(key string) []string { return strings.Split(key, "\x00") }
