package main

import (
	"slices"

	"go.yaml.in/yaml/v3"
)

type objectAsked struct {
	Kind      string
	Name      string
	Namespace *string
}

// What `blame` takes beside the chart.
type blameAsked struct {
	Object      objectAsked
	Path        []any
	MostLeaves  int
	MostRenders int
	Secrets     [][]any
}

type linePlace struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

// A value that a leaf or an object is from: `carries`, `derived`, `exists` by trials, `reads` by a syntax tree alone.
type claim struct {
	Path []any      `json:"path"`
	How  string     `json:"how"`
	At   *linePlace `json:"at,omitempty"`
}

type blamedLeaf struct {
	Path    []any       `json:"path"`
	Text    *string     `json:"text,omitempty"`
	Type    string      `json:"type"`
	At      *linePlace  `json:"at,omitempty"`
	Through []linePlace `json:"through,omitempty"`
	Action  string      `json:"action,omitempty"`
	Values  []claim     `json:"values"`
	About   []string    `json:"about,omitempty"`
	Secret  bool        `json:"secret,omitempty"`
	leaf
}

type blamedObject struct {
	Kind       string        `json:"kind"`
	APIVersion string        `json:"apiVersion"`
	Namespace  string        `json:"namespace,omitempty"`
	Name       string        `json:"name"`
	Template   string        `json:"template"`
	Count      int           `json:"count"`
	Leaves     []*blamedLeaf `json:"leaves"`
	Exists     []claim       `json:"exists"`
	object
	// All objects of its template.
	beside []object
	// What is rendered for it.
	only map[string]bool
	// The lines that read values for its leaves: their own, and those of conditions around them.
	near map[linePlace]bool
}

// blame answers where the leaves of an object are from.
func (w *world) blame(r *request, a *answer) error {
	asked := blameAsked{MostLeaves: 200, MostRenders: 400}
	if err := r.arguments(&asked); err != nil {
		return err
	}
	objects, err := w.objects()
	if err != nil {
		return err
	}
	w.most = asked.MostRenders
	found := []*blamedObject{}
	for _, each := range objects {
		if asked.Object.names(each) {
			found = append(found, w.blamed(each, objects, asked))
		}
	}
	a.results["objects"] = found
	if w.isCut {
		a.results["bounded"] = true
	}
	return nil
}

func (o objectAsked) names(each object) bool {
	return each.kind == o.Kind && each.name == o.Name && (o.Namespace == nil || each.namespace == *o.Namespace)
}

func (w *world) blamed(o object, all []object, asked blameAsked) *blamedObject {
	b := &blamedObject{Kind: o.kind, APIVersion: o.apiVersion, Namespace: o.namespace, Name: o.name, Template: nameOf(o.template), Leaves: []*blamedLeaf{}, Exists: []claim{}, object: o, near: map[linePlace]bool{}}
	for _, each := range all {
		if each.template == o.template {
			b.beside = append(b.beside, each)
		}
	}
	leaves := o.leaves()
	for _, each := range leaves {
		b.Count++
		if !startsWith(each.path, asked.Path) {
			continue
		}
		if len(b.Leaves) >= asked.MostLeaves {
			w.isCut = true
			continue
		}
		text := each.node.Value
		b.Leaves = append(b.Leaves, &blamedLeaf{Path: each.path, Text: &text, Type: kindOf(each.node), Values: []claim{}, leaf: each})
	}
	b.only = w.only(o.template)
	w.place(b, leaves)
	w.hide(b, asked.Secrets)
	w.askAbout(b)
	w.askValues(b, asked.Secrets)
	b.sort()
	return b
}

// The strongest claims first.
func (b *blamedObject) sort() {
	order := []string{"carries", "derived", "exists", "reads"}
	for _, each := range b.Leaves {
		slices.SortStableFunc(each.Values, func(a, b claim) int { return slices.Index(order, a.How) - slices.Index(order, b.How) })
	}
}

func startsWith(path, start []any) bool {
	if len(path) < len(start) {
		return false
	}
	for i, each := range start {
		if !sameStep(path[i], each) {
			return false
		}
	}
	return true
}

func samePath(a, b []any) bool { return len(a) == len(b) && startsWith(a, b) }

// Numbers of a request are floats.
func sameStep(a, b any) bool {
	number := func(step any) any {
		if f, ok := step.(float64); ok {
			return int(f)
		}
		return step
	}
	return number(a) == number(b)
}

// place says which line each leaf is from, with its action, or the nearest condition around it that is not around all leaves.
func (w *world) place(b *blamedObject, all []leaf) {
	pieces := w.marked([]string{b.object.template})[b.object.template].pieces
	count, around := map[condition]int{}, map[*yaml.Node][]condition{}
	for _, each := range all {
		if found, ok := w.marker.pieceOf(each, pieces); ok {
			around[each.node] = w.marker.conditionsOf(found)
			for _, one := range around[each.node] {
				count[one]++
			}
		}
	}
	for _, each := range b.Leaves {
		if found, ok := w.marker.pieceOf(each.leaf, pieces); ok {
			w.placeAt(each, found)
			b.near[*each.At] = true
		}
		for _, one := range around[each.leaf.node] {
			b.near[one.linePlace] = true
			if each.Action == "" && count[one] < len(all) {
				each.Action = one.action
			}
		}
	}
}

func (w *world) placeAt(l *blamedLeaf, found piece) {
	at := w.marker.places[found.place]
	l.At, l.Action = &linePlace{at.File, at.Line}, at.action
	for _, outer := range found.through {
		l.Through = append(l.Through, linePlace{w.marker.places[outer].File, w.marker.places[outer].Line})
	}
}

// only is the object's template if Helm renders it alike without the others: they may change values for it.
func (w *world) only(template string) map[string]bool {
	if only := map[string]bool{nameOf(template): true}; w.rendersAlone(only) {
		return only
	}
	return nil
}

func (w *world) rendersAlone(only map[string]bool) bool {
	r := w.usual
	r.isTrial, r.only = true, only
	found, err := w.render(r)
	for name, text := range found.texts {
		if text != w.plain.texts[name] {
			return false
		}
	}
	return err == nil
}

// hide takes the texts of what is secret.
func (w *world) hide(b *blamedObject, secrets [][]any) {
	w.trySecrets(secrets, b.only)
	b.Namespace = w.named(b.object, b.beside).namespace
	isSecret := w.secretsOf(b.object, b.beside)
	for _, each := range b.Leaves {
		each.Path = w.shownPath(b.object, b.beside, each.Path)
		if isSecret(each.leaf) {
			each.hide()
		}
	}
}

func (l *blamedLeaf) hide() { l.Text, l.Secret = nil, true }

// each calls for all leaves that a trial changes, with how; or for the object if the trial has none in its place.
func (b *blamedObject) each(found trialResult, r replacement, leaf func(*blamedLeaf, string), gone func()) {
	after, ok := found[b.Template]
	if !ok {
		return
	}
	f := follow(b.object, partnerOf(b.object, b.beside, after, r), r)
	if f.isGone {
		gone()
		return
	}
	for _, each := range b.Leaves {
		if how := f.how(each.leaf.node); how != "" {
			leaf(each, how)
		}
	}
}

// askValues tries each value that the object's template can read.
func (w *world) askValues(b *blamedObject, secrets [][]any) {
	isNear := func(read valueRead) bool { return b.near[linePlace{w.marker.files[read.File], read.Line}] }
	first, others := w.candidates(b.object.template, isNear)
	single := func(value valueLeaf) { w.askValue(b, value, secrets) }
	for _, each := range first {
		if w.isOver() {
			return
		}
		single(each)
	}
	w.sift(others, b.only, b.isChanged, single)
	w.askCollections(b, isNear)
}

func (b *blamedObject) isChanged(found trialResult, r replacement) (isChanged bool) {
	b.each(found, r, func(*blamedLeaf, string) { isChanged = true }, func() { isChanged = true })
	return isChanged
}

// isOver is true once there were as many renders as there may be.
func (w *world) isOver() bool {
	isOver := w.count >= w.most
	w.isCut = w.isCut || isOver
	return isOver
}

// sift tries many values at once, and the halves of those that change something, down to single ones.
func (w *world) sift(values []valueLeaf, only map[string]bool, isChanged func(trialResult, replacement) bool, single func(valueLeaf)) {
	switch {
	case len(values) == 0 || w.isOver():
		return
	case len(values) == 1:
		single(values[0])
		return
	}
	found, ok := w.changed(only, values, func(value any) replacement { return w.replacements(value)[0][0] })
	if ok && !isChanged(found, replacement{}) {
		return
	}
	w.sift(values[:len(values)/2], only, isChanged, single)
	w.sift(values[len(values)/2:], only, isChanged, single)
}

// agreed gives what two trials with other values of one path say; the second is not made if the first changes nothing. False if
// the chart refuses all of them.
func (w *world) agreed(value valueLeaf, only map[string]bool, isChanged func(trialResult, replacement) bool) (results [2]trialResult, pair [2]replacement, ok bool) {
	for _, pair = range w.replacements(value.value) {
		var oks [2]bool
		for i := range pair {
			isFlip := !pair[0].isText && pair[0].text != ""
			if i == 1 && (isFlip || !isChanged(results[0], pair[0])) {
				results[1], oks[1] = results[0], true
				break
			}
			if results[i], oks[i] = w.changed(only, []valueLeaf{value}, func(any) replacement { return pair[i] }); !oks[i] {
				break
			}
		}
		if oks[0] && oks[1] {
			return results, pair, true
		}
	}
	return results, pair, false
}

// decided is what trials agree on; where they change nothing, what comes of a value that decides: an empty one, or a text that
// templates compare it with.
func (w *world) decided(value valueLeaf, only map[string]bool, isChanged func(trialResult, replacement) bool) (results [2]trialResult, pair [2]replacement, ok bool) {
	results, pair, ok = w.agreed(value, only, isChanged)
	if ok && isChanged(results[0], pair[0]) {
		return results, pair, true
	}
	for _, other := range w.deciding(value) {
		if w.isOver() {
			break
		}
		found, isFine := w.changed(only, []valueLeaf{value}, func(any) replacement { return other })
		if isFine && isChanged(found, other) {
			return [2]trialResult{found, found}, [2]replacement{other, other}, true
		}
	}
	return results, pair, ok
}

// So many texts that a value is compared with are tried.
const fewTexts = 4

func (w *world) deciding(value valueLeaf) (all []replacement) {
	switch v := value.value.(type) {
	case string:
		texts := []string{""}
		for name := range w.plain.texts {
			for _, read := range w.readsOf(name).reads {
				if reaches(read, value.path, nil) {
					texts = append(texts, read.compared...)
				}
			}
		}
		slices.Sort(texts)
		for _, each := range slices.Compact(texts) {
			if each != v && len(all) < fewTexts {
				all = append(all, replacement{value: each})
			}
		}
	case float64:
		if v != 0 {
			all = []replacement{{value: 0.0}}
		}
	}
	return all
}

func (w *world) askValue(b *blamedObject, value valueLeaf, secrets [][]any) {
	results, pair, ok := w.decided(value, b.only, b.isChanged)
	if !ok {
		w.readByLine(b, value, secrets)
		return
	}
	isGone := [2]bool{}
	hows := [2]map[*blamedLeaf]string{{}, {}}
	for i := range pair {
		b.each(results[i], pair[i], func(l *blamedLeaf, how string) { hows[i][l] = how }, func() { isGone[i] = true })
	}
	if isGone[0] && isGone[1] {
		b.Exists = append(b.Exists, claim{value.path, "exists", w.firstRead(b.object.template, value)})
	}
	for _, each := range b.Leaves {
		if how := agreedHow(hows[0][each], hows[1][each]); how != "" {
			each.claim(value.path, how, secrets)
		}
	}
}

func (l *blamedLeaf) claim(path []any, how string, secrets [][]any) {
	l.Values = append(l.Values, claim{Path: path, How: how})
	if how != "exists" && slices.ContainsFunc(secrets, func(secret []any) bool { return startsWith(path, secret) }) {
		l.hide()
	}
}

// readByLine is the weaker claim about a value that cannot be changed alone: the line of the leaf reads it.
func (w *world) readByLine(b *blamedObject, value valueLeaf, secrets [][]any) {
	for _, each := range b.Leaves {
		if each.At == nil || each.Action == "" {
			continue
		}
		for _, read := range w.readsOf(b.object.template).reads {
			if read.Line == each.At.Line && w.marker.files[read.File] == each.At.File && reaches(read, value.path, nil) {
				each.claim(value.path, "reads", secrets)
				break
			}
		}
	}
}

// firstRead is where the object's own template reads a value first.
func (w *world) firstRead(template string, value valueLeaf) *linePlace {
	var first *linePlace
	for _, read := range w.readsOf(template).reads {
		if read.File == template && reaches(read, value.path, nil) && (first == nil || read.Line < first.Line) {
			first = &linePlace{w.marker.files[read.File], read.Line}
		}
	}
	return first
}

// What leaves may be from beside values: each is changed twice.
var abouts = []struct {
	name   string
	change func(r *rendering, w *world, second int) replacement
}{
	{"release name", func(r *rendering, w *world, i int) replacement { return swapped(&r.release, w.words[i]) }},
	{"release namespace", func(r *rendering, w *world, i int) replacement { return swapped(&r.namespace, w.words[i]) }},
	{"chart version", func(r *rendering, _ *world, i int) replacement {
		return replaced(&r.chartVersion, []string{"613.1.7", "787.2.9"}[i])
	}},
	{"app version", func(r *rendering, _ *world, i int) replacement {
		return replaced(&r.appVersion, []string{"613.3.1", "787.4.2"}[i])
	}},
	{"chart name", func(r *rendering, w *world, i int) replacement { return replaced(&r.chartName, w.words[i]) }},
	{"capabilities", func(r *rendering, _ *world, i int) replacement {
		return replaced(&r.kubeVersion, []string{"v1.97.3", "v1.98.6"}[i])
	}},
	{"random", func(r *rendering, _ *world, i int) replacement { r.otherwise = i + 1; return replacement{} }},
}

func swapped(text *string, other string) replacement {
	r := replacement{other, other, *text, true}
	*text = other
	return r
}

func replaced(text *string, other string) replacement {
	*text = other
	return replacement{}
}

func (w *world) askAbout(b *blamedObject) {
	for _, about := range abouts {
		changes := map[*blamedLeaf]int{}
		for i := range 2 {
			r := w.usual
			r.isTrial, r.only = true, b.only
			change := about.change(&r, w, i)
			found, ok := w.try(r)
			if !ok || !b.isChanged(found, change) {
				break
			}
			b.each(found, change, func(l *blamedLeaf, _ string) { changes[l]++ }, func() {})
		}
		for _, each := range b.Leaves {
			if changes[each] == 2 {
				each.About = append(each.About, about.name)
			}
		}
	}
}
