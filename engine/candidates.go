package main

import (
	"slices"
	"strings"
	"text/template/parse"
)

// What a template reads of all values.
type templateReads struct {
	reads []valueRead
	// It may read anything.
	isAll bool
}

// readsOf is what a template, and what it includes, can read, by syntax trees: paths from the top of all values.
func (w *world) readsOf(name string) templateReads {
	found, ok := w.reads[name]
	if !ok {
		found = w.readsAnew(name)
		w.reads[name] = found
	}
	return found
}

func (w *world) readsAnew(name string) templateReads {
	walk := &readWalk{reader: &reader{trees: w.marker.trees}, seen: map[string]bool{}}
	chart := w.plain.templates[name].path
	all := templateReads{}
	for _, each := range w.included(name, walk) {
		all.isAll = all.isAll || each == ""
	}
	all.isAll = all.isAll || w.entersSubcharts(walk)
	w.readTexts(walk, chart)
	for _, each := range walk.found {
		each.Path = append(slices.Clone(chart), each.Path...)
		all.reads = append(all.reads, each)
		// A parent's `global` is in the values of its subcharts.
		if at := len(chart); len(each.Path) > at && each.Path[at] == "global" {
			for ; at > 0; at-- {
				shared := each
				shared.Path = append(slices.Clone(chart[:at-1]), each.Path[len(chart):]...)
				all.reads = append(all.reads, shared)
			}
		}
	}
	return all
}

// included walks a template and the files that it includes for a checksum; "" for one whose name is not known.
func (w *world) included(name string, walk *readWalk) []string {
	names := []string{name}
	for i := 0; i < len(names); i++ {
		tree := w.marker.trees[names[i]]
		if tree == nil {
			names[i] = ""
			continue
		}
		walk.template(tree, atRoot)
		for reached := range walk.seen {
			of, _, _ := strings.Cut(reached, "\x00")
			for _, file := range w.filesIncludedIn(w.marker.trees[of], name) {
				if !slices.Contains(names, file) {
					names = append(names, file)
				}
			}
		}
	}
	return names
}

// `include (print $.Template.BasePath "/configmap.yaml") .`
func (w *world) filesIncludedIn(tree *parse.Tree, of string) []string {
	files := []string{}
	visit(tree.Root, func(node parse.Node) {
		command, ok := node.(*parse.CommandNode)
		if !ok || len(command.Args) < 2 || command.Args[0].String() != "include" || !strings.Contains(command.Args[1].String(), ".Template.BasePath") {
			return
		}
		base := of[:strings.LastIndex(of, "/templates/")+len("/templates")]
		file := ""
		visit(command.Args[1], func(inner parse.Node) {
			if text, ok := inner.(*parse.StringNode); ok && w.marker.trees[base+text.Text] != nil {
				file = base + text.Text
			}
		})
		files = append(files, file)
	})
	return files
}

// The values of subcharts come by `.Subcharts`, which no path says.
func (w *world) entersSubcharts(walk *readWalk) bool {
	for reached := range walk.seen {
		name, _, _ := strings.Cut(reached, "\x00")
		if tree := w.marker.trees[name]; strings.Contains(tree.Root.String(), ".Subcharts") {
			return true
		}
	}
	return false
}

// readTexts walks the values that are read and are templates themselves.
func (w *world) readTexts(walk *readWalk, chart []string) {
	for _, each := range w.leaves {
		text, ok := each.value.(string)
		if !ok || !strings.Contains(text, "{{") || !isRead(each.path, chart, walk.found) {
			continue
		}
		tree := parse.New("tpl")
		tree.Mode = parse.SkipFuncCheck
		if _, err := tree.Parse(text, "", "", map[string]*parse.Tree{}); err == nil {
			walk.list(tree.Root, scope{tree, atRoot, map[string]where{"$": atRoot}})
		}
	}
}

func isRead(path []any, chart []string, reads []valueRead) bool {
	return slices.ContainsFunc(reads, func(read valueRead) bool { return reaches(read, path, chart) })
}

// reaches is true of a read of a value, or of all that it is in. @param chart the keys down to the values that the read is in
func reaches(read valueRead, path []any, chart []string) bool {
	keys := append(slices.Clone(chart), read.Path...)
	if len(path) < len(keys) || (len(path) > len(keys) && !read.Whole) {
		return false
	}
	for i, key := range keys {
		if text, ok := path[i].(string); key != "*" && (!ok || text != key) {
			return false
		}
	}
	return true
}

// candidates are the values that a template can read, or that decide whether its chart is deployed; those that some lines read
// are apart.
func (w *world) candidates(template string, isNear func(valueRead) bool) (near, others []valueLeaf) {
	found, isInSubchart := w.readsOf(template), len(w.plain.templates[template].path) > 0
	for _, each := range w.leaves {
		isRead, isFirst := found.isAll || (isInSubchart && w.plain.decides(each.path)), false
		for _, read := range found.reads {
			if reaches(read, each.path, nil) {
				isRead, isFirst = true, isFirst || isNear(read)
			}
		}
		if isFirst {
			near = append(near, each)
		} else if isRead {
			others = append(others, each)
		}
	}
	return near, others
}
