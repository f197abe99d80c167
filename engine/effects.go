package main

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// What `effects` takes beside the chart: paths of values, and of a mapping; for `changes` the second chart, or second values, are in the request.
type effectsAsked struct {
	Paths [][]any
	// A mapping, of which only what is there because of it is asked.
	Mapping     []any
	Secrets     [][]any
	MostRenders int
}

type effect struct {
	Path    []any             `json:"path"`
	Objects []*affectedObject `json:"objects"`
}

type affectedObject struct {
	Kind      string `json:"kind"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
	Template  string `json:"template"`
	// `exists` for one that goes with the value, `absent` for one that is not there now, but with another value.
	Exists string         `json:"exists,omitempty"`
	Leaves []affectedLeaf `json:"leaves"`
	// As it is, whether it may be printed or not.
	name string
}

type affectedLeaf struct {
	Path []any      `json:"path"`
	How  string     `json:"how"`
	At   *linePlace `json:"at,omitempty"`
	// As it is, whether it may be printed or not.
	path []any
}

type changedObject struct {
	Kind      string        `json:"kind"`
	Namespace string        `json:"namespace,omitempty"`
	Name      string        `json:"name"`
	Template  string        `json:"template"`
	What      string        `json:"what"`
	Leaves    []changedLeaf `json:"leaves"`
}

type changedLeaf struct {
	Path []any   `json:"path"`
	From *string `json:"from,omitempty"`
	To   *string `json:"to,omitempty"`
	// As those of leaves.
	FromType string `json:"fromType,omitempty"`
	ToType   string `json:"toType,omitempty"`
	Secret   bool   `json:"secret,omitempty"`
}

// answerEffects answers what values do, or what comes of a second chart or second values.
func (w *world) answerEffects(r *request, asked manifestsAsked, a *answer) error {
	given := effectsAsked{MostRenders: 400}
	if err := r.arguments(&given); err != nil {
		return err
	}
	w.most = given.MostRenders
	w.trySecrets(given.Secrets, nil)
	before, err := w.objects()
	if err != nil {
		return err
	}
	effects := []effect{}
	for _, path := range given.Paths {
		effects = append(effects, effect{path, w.effectOf(path, before)})
	}
	if len(given.Mapping) > 0 {
		all := w.effectOfWhole(given.Mapping, before)
		// What goes with it alone: what its values do is said of them.
		gone := slices.DeleteFunc(all, func(each *affectedObject) bool { return each.Exists != "exists" })
		effects = append(effects, effect{given.Mapping, gone})
	}
	a.results["effects"] = effects
	if w.isCut {
		a.results["bounded"] = true
	}
	if !r.has("values2") && !r.has("chart2/Chart.yaml") {
		return nil
	}
	other, err := newWorld(r, asked, "2", "2")
	if err != nil {
		return err
	}
	other.prepareTrials()
	a.results["changes"], err = w.changesTo(other, before, given.Secrets)
	return err
}

func (w *world) objects() ([]object, error) {
	return objectsOf(w.documents)
}

// of are the objects of one template.
func of(objects []object, template string) []object {
	found := []object{}
	for _, each := range objects {
		if nameOf(each.template) == template {
			found = append(found, each)
		}
	}
	return found
}

// effectOf tries each value at a path, or below it; one that is not there is set.
func (w *world) effectOf(path []any, before []object) []*affectedObject {
	values := []valueLeaf{}
	for _, each := range w.leaves {
		if startsWith(each.path, path) {
			values = append(values, each)
		}
	}
	if len(values) == 0 {
		values = []valueLeaf{{whole(path), nil}}
	}
	found := []*affectedObject{}
	for _, value := range values {
		if w.isOver() {
			return found
		}
		only := w.readersOf(value)
		if results, pair, ok := w.decided(value, only, func(result trialResult, _ replacement) bool { return len(result) > 0 }); ok {
			for _, template := range sortedKeys(results[0]) {
				found = w.affected(found, template, of(before, template), results, pair)
			}
		}
	}
	if len(found) > 0 {
		return found
	}
	// Nothing follows what is in it: only whether it is there counts.
	return w.effectOfWhole(path, before)
}

// effectOfWhole tries without a value, or without a mapping.
func (w *world) effectOfWhole(path []any, before []object) []*affectedObject {
	found := []*affectedObject{}
	result, _ := w.tryWithout(nil, whole(path))
	for _, template := range sortedKeys(result) {
		found = w.affected(found, template, of(before, template), [2]trialResult{result, result}, [2]replacement{})
	}
	return found
}

// whole gives numbers of a request as indices.
func whole(path []any) []any {
	all := slices.Clone(path)
	for i, each := range all {
		if number, ok := each.(float64); ok {
			all[i] = int(number)
		}
	}
	return all
}

// readersOf are the templates that can read a value, if Helm renders them alike without the others.
func (w *world) readersOf(value valueLeaf) map[string]bool {
	// What decides about a subchart is read by no template of it.
	if w.plain.decides(value.path) {
		return nil
	}
	return w.readersWhere(func(read valueRead) bool { return reaches(read, value.path, nil) })
}

// readersWhere are the templates that have such a read; nil for all.
func (w *world) readersWhere(isSuch func(valueRead) bool) map[string]bool {
	only := map[string]bool{}
	for name := range w.plain.texts {
		found := w.readsOf(name)
		if found.isAll || slices.ContainsFunc(found.reads, isSuch) {
			only[nameOf(name)] = true
		}
	}
	if len(only) == 0 {
		return nil
	}
	key := strings.Join(sortedKeys(only), "\x00")
	isAlone, ok := w.isAlone[key]
	if !ok {
		isAlone = w.rendersAlone(only)
		w.isAlone[key] = isAlone
	}
	if !isAlone {
		return nil
	}
	return only
}

// affected adds what two trials agree on about the objects of one template.
func (w *world) affected(found []*affectedObject, template string, before []object, results [2]trialResult, pair [2]replacement) []*affectedObject {
	if _, ok := results[1][template]; !ok {
		return found
	}
	for _, each := range before {
		first, second := w.followedIn(each, before, results[0], pair[0]), w.followedIn(each, before, results[1], pair[1])
		named := w.named(each, before)
		if first.isGone && second.isGone {
			object, all := objectIn(found, named, each.name)
			object.Exists, found = "exists", all
			continue
		}
		for _, leaf := range each.leaves() {
			how := agreedHow(first.how(leaf.node), second.how(leaf.node))
			if how == "" {
				continue
			}
			object, all := objectIn(found, named, each.name)
			path := w.shownPath(each, before, leaf.path)
			object.Leaves, found = append(object.Leaves, affectedLeaf{path, how, w.lineOf(each.template, leaf), leaf.path}), all
		}
	}
	return w.added(found, before, results[0][template], results[1][template], pair)
}

func (w *world) followedIn(o object, beside []object, result trialResult, r replacement) followed {
	return follow(o, partnerOf(o, beside, result[nameOf(o.template)], r), r)
}

// agreedHow is what two trials say: changed otherwise if in two ways, nothing if one of them has the leaf and the other has not.
func agreedHow(first, second string) string {
	switch {
	case first == "" || second == "" || (first == "exists") != (second == "exists"):
		return ""
	case first != second:
		return "derived"
	}
	return first
}

// What is printed in place of a name that is made of what was tried.
const anyName = "(any)"

// added adds objects that are there with other values, and leaves of objects.
func (w *world) added(found []*affectedObject, before, first, second []object, pair [2]replacement) []*affectedObject {
	for _, each := range first {
		old := partnerOf(each, first, before, pair[0])
		other := partnerOf(each, first, second, pair[1])
		if other == nil {
			continue
		}
		if old == nil {
			name := pair[0].undo(each.name)
			shown := w.newObject(each, name, before)
			if name != pair[1].undo(other.name) {
				shown.name = anyName
			}
			if each.namespace != other.namespace {
				shown.namespace = anyName
			}
			object, all := objectIn(found, shown, name)
			object.Exists, found = "absent", all
			continue
		}
		back := follow(each, old, replacement{})
		for _, leaf := range each.leaves() {
			if back.how(leaf.node) == "exists" {
				object, all := objectIn(found, w.named(*old, before), old.name)
				object.add(leaf.path, w.newPath(inBoth(leaf.path, other), old))
				found = all
			}
		}
	}
	return found
}

// add adds a leaf that is not there, once.
func (o *affectedObject) add(path, shown []any) {
	if !slices.ContainsFunc(o.Leaves, func(l affectedLeaf) bool { return samePath(l.Path, shown) }) {
		o.Leaves = append(o.Leaves, affectedLeaf{Path: shown, How: "absent", path: path})
	}
}

// objectIn is an object among others, or a new one. @param shown as it may be printed
func objectIn(all []*affectedObject, shown object, name string) (*affectedObject, []*affectedObject) {
	for _, each := range all {
		if each.Kind == shown.kind && each.Namespace == shown.namespace && each.name == name && each.Template == nameOf(shown.template) {
			return each, all
		}
	}
	found := &affectedObject{Kind: shown.kind, Namespace: shown.namespace, Name: shown.name, Template: nameOf(shown.template), Leaves: []affectedLeaf{}, name: name}
	return found, append(all, found)
}

// lineOf is the place of a leaf of the chart as it is.
func (w *world) lineOf(template string, l leaf) *linePlace {
	if w.isPlaceless {
		return nil
	}
	marked, ok := w.lines[template]
	if !ok {
		marked = w.marked([]string{template})[template]
		w.lines[template] = marked
	}
	found, ok := w.marker.pieceOf(l, marked.pieces)
	if !ok {
		return nil
	}
	at := w.marker.places[found.place]
	return &linePlace{at.File, at.Line}
}

// changesTo compares what two charts render.
func (w *world) changesTo(other *world, before []object, secrets [][]any) ([]changedObject, error) {
	after, err := other.objects()
	if err != nil {
		return nil, err
	}
	other.trySecrets(secrets, nil)
	key := func(o object) string { return o.kind + "\x00" + o.namespace + "\x00" + o.name }
	changes := []changedObject{}
	same := map[string]object{}
	for _, each := range after {
		same[key(each)] = each
	}
	for _, each := range before {
		if partner, ok := same[key(each)]; !ok {
			changes = append(changes, w.changeOf(each, before, "removed", nil))
		} else if leaves := w.leavesChanged(each, of(before, nameOf(each.template)), other, partner, of(after, nameOf(partner.template))); len(leaves) > 0 {
			changes = append(changes, w.changeOf(each, before, "changed", leaves))
		}
		delete(same, key(each))
	}
	for _, each := range after {
		if _, isNew := same[key(each)]; isNew {
			changes = append(changes, other.changeOf(each, after, "added", nil))
		}
	}
	return changes, nil
}

func (w *world) changeOf(o object, all []object, what string, leaves []changedLeaf) changedObject {
	named := w.named(o, of(all, nameOf(o.template)))
	return changedObject{named.kind, named.namespace, named.name, nameOf(o.template), what, append([]changedLeaf{}, leaves...)}
}

func (w *world) leavesChanged(old object, beside []object, other *world, new object, besideNew []object) []changedLeaf {
	found := []changedLeaf{}
	isSecret, isSecretNow := w.secretsOf(old, beside), other.secretsOf(new, besideNew)
	now := map[*yaml.Node]leaf{}
	for _, each := range new.leaves() {
		now[resolved(each.node)] = each
	}
	ahead, back := follow(old, &new, replacement{}), follow(new, &old, replacement{})
	for _, each := range old.leaves() {
		if ahead.how(each.node) == "" {
			continue
		}
		change := changedLeaf{Path: w.shownPath(old, beside, each.path), From: textIf(each.node), FromType: kindOf(each.node), Secret: isSecret(each)}
		if partner := ahead.became[resolved(each.node)]; partner != nil && len(partner.Content) == 0 {
			change.To, change.ToType, change.Secret = textIf(partner), kindOf(partner), change.Secret || isSecretNow(now[partner])
		}
		found = append(found, change.hidden())
	}
	for _, each := range new.leaves() {
		if back.how(each.node) == "exists" {
			change := changedLeaf{Path: other.shownPath(new, besideNew, each.path), To: textIf(each.node), ToType: kindOf(each.node), Secret: isSecretNow(each)}
			found = append(found, change.hidden())
		}
	}
	return found
}

func textIf(node *yaml.Node) *string {
	text := node.Value
	switch kindOf(node) {
	case "map":
		text = "{}"
	case "seq":
		text = "[]"
	}
	return &text
}

func (c changedLeaf) hidden() changedLeaf {
	if c.Secret {
		c.From, c.To = nil, nil
	}
	return c
}
