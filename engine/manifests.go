package main

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"text/template"
	"text/template/parse"
	"unicode/utf16"

	"valuefold.dev/engine/refused/cluster"
	"valuefold.dev/engine/repeatable"
)

// What the operation takes. Files are `values` and those of a chart, `chart/PATH`.
type manifestsAsked struct {
	Helm        int
	Release     string
	Namespace   string
	KubeVersion string
	APIVersions []string
	CRDs        bool
	Ask         string
	Secrets     [][]any
}

// A chart with its values, rendered as often as a question needs.
type world struct {
	chart loadedChart
	// A chart that cannot be rendered: charts that it depends on are not here.
	incomplete loadedChart
	usual      rendering
	files      []chartFile
	plain      outcome
	documents  []document
	marker     *marker
	// What it renders, by the names of templates without the chart's.
	byName map[string]string
	// All values that a trial may change, and two words to change them to.
	leaves []valueLeaf
	words  [2]string
	reads  map[string]templateReads
	// Renders that were made, the most there may be, and whether more are wanted.
	count, most int
	isCut       bool
	secrets     secretTrials
	// Of templates, whether they render alike without the others.
	isAlone map[string]bool
	// Whether no lines of templates are asked for.
	isPlaceless bool
	// Templates with marks, for `effects`.
	lines map[string]markedText
}

// manifests answers what a chart renders, and where it is from.
func manifests(r *request, a *answer) error {
	var asked manifestsAsked
	if err := r.arguments(&asked); err != nil {
		return err
	}
	if asked.Ask == "upgrade" {
		return upgrade(r, asked, a)
	}
	cluster.Missing()
	w, err := newWorld(r, asked, "", "")
	// Trials ask for more.
	if apis := w.openApis(cluster.Missing(), asked.Secrets); len(apis) > 0 {
		a.results["apis"] = apis
	}
	if err != nil && asked.Ask == "unread" {
		w.unrendered(a)
	}
	if err != nil {
		return err
	}
	switch asked.Ask {
	case "unread":
		w.prepareTrials()
		return w.answerUnread(r, a)
	case "render":
		return w.answerTexts(asked, a)
	case "blame":
		w.prepareTrials()
		return w.blame(r, a)
	case "effects":
		w.prepareTrials()
		return w.answerEffects(r, asked, a)
	}
	return errors.New("no such question about manifests")
}

// openApis are those that a file of the chart has, and that no value of a Secret is a part of, between dots and slashes.
func (w *world) openApis(apis []string, secrets [][]any) []string {
	hidden := []string{}
	for _, path := range secrets {
		if value, ok := valueAt(w.usual.user, stringsOf(path)); ok {
			hidden = append(hidden, fmt.Sprint(value))
		}
	}
	parts := func(text string) string { return "." + strings.ReplaceAll(text, "/", ".") + "." }
	return slices.DeleteFunc(apis, func(api string) bool {
		isSecret := func(text string) bool {
			return text != "" && (strings.Contains(parts(api), parts(text)) || strings.Contains(text, api))
		}
		isWritten := func(each chartFile) bool { return bytes.Contains(each.content, []byte(api)) }
		return slices.ContainsFunc(hidden, isSecret) || !slices.ContainsFunc(w.files, isWritten)
	})
}

func (r *request) has(name string) bool {
	return slices.ContainsFunc(r.Files, func(each entry) bool { return each.Name == name })
}

// newWorld renders a chart once. @param chartNumber, valuesNumber behind the names of its files in the request: empty, or 2 for a second
// chart or second values. What there is no second of is the first.
func newWorld(r *request, asked manifestsAsked, chartNumber, valuesNumber string) (*world, error) {
	w := &world{}
	var values []byte
	nameOfValues, folder := "values", "chart/"
	if r.has("values" + valuesNumber) {
		nameOfValues = "values" + valuesNumber
	}
	if r.has("chart" + chartNumber + "/Chart.yaml") {
		folder = "chart" + chartNumber + "/"
	}
	_ = r.each(func(name string, content []byte) error {
		if name == nameOfValues {
			values = content
		} else if inChart, ok := strings.CutPrefix(name, folder); ok {
			w.files = append(w.files, chartFile{inChart, bytes.TrimPrefix(content, []byte("\xEF\xBB\xBF"))})
		}
		return nil
	})
	load, read := load4, userValues4
	if asked.Helm == 3 {
		load, read = load3, userValues3
	}
	user, err := read(values)
	if err != nil {
		return w, err
	}
	w.usual = rendering{user: user, release: asked.Release, namespace: asked.Namespace, kubeVersion: asked.KubeVersion, apiVersions: asked.APIVersions}
	chart, err := load(w.files)
	if err != nil {
		w.incomplete = chart
		return w, err
	}
	w.chart = chart
	w.newMarker([]byte(asked.Release), []byte(asked.Namespace), values)
	return w, w.begin()
}

// begin renders as Helm does, and keeps what is parsed. What is no YAML is not rendered, either.
func (w *world) begin() (err error) {
	first := w.usual
	first.parsed = w.keep
	if w.plain, err = w.render(first); err == nil {
		w.documents, err = w.documentsOf(w.plain.texts)
	}
	return err
}

func (w *world) render(r rendering) (outcome, error) {
	w.count++
	repeatable.Otherwise(r.otherwise)
	defer repeatable.Otherwise(0)
	if r.chartName != "" {
		r.trees = renamed(r.trees, r.chartName)
	}
	found, err := w.chart.render(r)
	collect()
	return found, err
}

// Helm calls templates by the name of their chart.
func renamed(trees map[string]*parse.Tree, chart string) map[string]*parse.Tree {
	all := map[string]*parse.Tree{}
	for name, tree := range trees {
		all[name] = tree
		if before, after, ok := strings.Cut(name, "/"); ok && before != "" {
			all[chart+"/"+after] = tree
		}
	}
	return all
}

// prepareTrials looks at what trials start from.
func (w *world) prepareTrials() {
	w.locate()
	w.isAlone, w.lines = map[string]bool{}, map[string]markedText{}
	w.leaves, w.reads, w.byName = valueLeaves(w.plain.values, nil, nil), map[string]templateReads{}, map[string]string{}
	contents := []string{w.usual.release, w.usual.namespace}
	for name, text := range w.plain.texts {
		w.byName[nameOf(name)] = text
		contents = append(contents, text)
	}
	for _, each := range w.files {
		contents = append(contents, string(each.content))
	}
	w.words = unusedWords(contents...)
}

func (w *world) newMarker(others ...[]byte) {
	for _, each := range w.files {
		others = append(others, each.content)
	}
	w.marker = &marker{trees: map[string]*parse.Tree{}, texts: map[string]string{}, files: map[string]string{}, known: map[string]int{}, starts: map[string][]int{}}
	w.marker.open, w.marker.shut = unusedCharacters(others...)
}

// keep takes what was parsed, for the next renders.
func (w *world) keep(all *template.Template) {
	for _, each := range all.Templates() {
		if each.Tree != nil && each.Tree.Root != nil {
			w.marker.trees[each.Name()] = each.Tree
		}
	}
	w.usual.trees = w.marker.trees
}

// A template's text as Helm renders it, and where its pieces are from; none where that is not known.
type markedText struct {
	text   string
	pieces []piece
}

// marked renders some templates once more, with marks. Where what is left without them is not the text that it was, nothing is
// claimed.
func (w *world) marked(names []string) map[string]markedText {
	texts, only := map[string]markedText{}, map[string]bool{}
	for _, name := range names {
		texts[name], only[nameOf(name)] = markedText{text: w.plain.texts[name]}, true
	}
	w.locate()
	if len(only) > 0 && w.marker.open != "" {
		r := w.usual
		r.isTrial, r.trees, r.suffix = true, w.marker.all(), w.marker.suffix()
		w.markIn(r, only, texts)
	}
	return texts
}

// locate gives the marker the texts and files of templates.
func (w *world) locate() {
	contents := map[string]string{}
	for _, each := range w.files {
		contents[each.name] = string(each.content)
	}
	for name, each := range w.plain.templates {
		w.marker.texts[name], w.marker.files[name] = contents[each.file], each.file
	}
}

// markIn renders all of the templates at once, or each alone where that fails.
func (w *world) markIn(r rendering, only map[string]bool, texts map[string]markedText) {
	r.only = only
	found, err := w.render(r)
	if err != nil {
		for name := range only {
			if len(only) > 1 {
				w.markIn(r, map[string]bool{name: true}, texts)
			}
		}
		return
	}
	for name, text := range found.texts {
		plain, pieces, ok := w.marker.unmarked(text)
		if ok && plain == texts[name].text {
			texts[name] = markedText{plain, pieces}
		}
	}
}

// A document of a template, and where its text begins in what the template renders.
type document struct {
	printed
	offset int
}

// documentsOf gives the documents of rendered texts, in the order in which they are printed.
func (w *world) documentsOf(texts map[string]string) ([]document, error) {
	kept := map[string]string{}
	for name, text := range texts {
		if !isNotes(name) {
			kept[name] = text
		}
	}
	all, err := w.chart.documents(kept)
	if err != nil {
		return nil, err
	}
	return located(all, kept), nil
}

// Helm cuts documents out of a text: each is found there again, behind the one before it in the same file.
func located(all []printed, texts map[string]string) []document {
	found := make([]document, 0, len(all))
	taken := map[string]map[int]bool{}
	for _, each := range all {
		if taken[each.template] == nil {
			taken[each.template] = map[int]bool{}
		}
		offset := strings.Index(texts[each.template], each.content)
		for taken[each.template][offset] {
			offset += 1 + strings.Index(texts[each.template][offset+1:], each.content)
		}
		taken[each.template][offset] = true
		found = append(found, document{each, offset})
	}
	return found
}

// nameOf is a template's name without the topmost chart.
func nameOf(template string) string {
	_, name, _ := strings.Cut(template, "/")
	return name
}

type answeredTemplate struct {
	Name   string   `json:"name"`
	Pieces [][3]int `json:"pieces"`
}

// answerTexts answers with what `helm template` prints of each template, and the places of its pieces.
func (w *world) answerTexts(asked manifestsAsked, a *answer) error {
	order, of := []string{}, map[string][]document{}
	for _, each := range w.documents {
		if of[each.template] == nil {
			order = append(order, each.template)
		}
		of[each.template] = append(of[each.template], each)
	}
	texts := w.marked(order)
	all := []answeredTemplate{}
	if asked.CRDs {
		for _, each := range w.plain.crds {
			all = append(all, answeredTemplate{nameOf(each.template), w.linesOf(each)})
			a.add(nameOf(each.template), []byte(each.content+"\n"))
		}
	}
	for _, name := range order {
		text, pieces := together(of[name], texts[name])
		all = append(all, answeredTemplate{nameOf(name), pieces})
		a.add(nameOf(name), []byte(text))
	}
	a.results["templates"], a.results["places"] = all, w.marker.places
	if w.marker.places == nil {
		a.results["places"] = []origin{}
	}
	return nil
}

// Each line of a file of CRDs is its own place.
func (w *world) linesOf(crds printed) [][3]int {
	pieces := [][3]int{}
	for i := range strings.Split(strings.TrimSuffix(crds.content, "\n"), "\n") {
		pieces = append(pieces, [3]int{i, 0, len(w.marker.places)})
		w.marker.places = append(w.marker.places, origin{File: path.Clean(crds.file), Line: i + 1})
	}
	return pieces
}

// together is the text of a template's documents as they are printed, and where its pieces begin in it.
func together(documents []document, marked markedText) (string, [][3]int) {
	var text strings.Builder
	pieces := [][3]int{}
	for i, each := range documents {
		if i > 0 {
			text.WriteString("---\n")
		}
		lines := strings.Count(text.String(), "\n")
		text.WriteString(each.content + "\n")
		pieces = append(pieces, piecesIn(each, marked, lines)...)
	}
	return text.String(), pieces
}

func piecesIn(d document, marked markedText, lines int) [][3]int {
	found := [][3]int{}
	line, lineStart, at := lines, 0, 0
	for i, each := range marked.pieces {
		end := len(marked.text)
		if i+1 < len(marked.pieces) {
			end = marked.pieces[i+1].offset
		}
		if end <= d.offset || each.offset >= d.offset+len(d.content) {
			continue
		}
		offset := max(each.offset-d.offset, 0)
		for ; at < offset; at++ {
			if d.content[at] == '\n' {
				line, lineStart = line+1, at+1
			}
		}
		found = append(found, [3]int{line, columnOf(d.content[lineStart:offset]), each.place})
	}
	return found
}

// columnOf counts as JavaScript does.
func columnOf(text string) int { return len(utf16.Encode([]rune(text))) }
