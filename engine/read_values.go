package main

import (
	"encoding/json"
	"slices"
	"strings"
	"text/template/parse"
)

// What a chart and its subcharts read of all values, deployed or not: by syntax trees, schemas and conditions.
type chartReads struct {
	parts []chartPart
	reads []valueRead
}

// How much is known of a path.
type readness int

const (
	isUnread readness = iota
	// All values of a chart are handed on to what no syntax tree says.
	mayBeRead
	isReadThere
)

func (w *world) readsOfAll() chartReads {
	c := chartReads{parts: w.chart.parts()}
	files := map[string]string{}
	for _, each := range c.parts {
		for name, text := range each.templates {
			files[name] = text
		}
	}
	r := newReader(files)
	texts := w.actions(c.parts)
	for _, each := range c.parts {
		for _, read := range r.readsOfPart(each, texts) {
			c.add(each.keys, read)
		}
		c.addDescription(each)
	}
	return c
}

// actions are the values that are templates themselves. Of a chart that does not render, those of its defaults count, too.
func (w *world) actions(parts []chartPart) []string {
	all := valueLeaves(w.plain.values, nil, nil)
	if w.plain.values == nil {
		all = valueLeaves(w.usual.user, nil, nil)
		for _, each := range parts {
			all = valueLeaves(each.values, nil, all)
		}
	}
	return textsWithActions(all)
}

// add takes a read of a chart. A parent's `global` is in the values of its subcharts: those are all kept as the topmost.
func (c *chartReads) add(keys []string, read valueRead) {
	if len(read.Path) == 0 || read.Path[0] != "global" {
		read.Path = append(slices.Clone(keys), read.Path...)
	}
	c.reads = append(c.reads, read)
}

func (c *chartReads) addDescription(part chartPart) {
	for _, path := range part.conditions {
		c.add(part.keys, valueRead{Path: path})
	}
	// A subchart that is not here may read anything of its own.
	for _, key := range part.absent {
		c.add(part.keys, valueRead{Path: []string{key}, Whole: true})
	}
	if part.hasTags {
		c.reads = append(c.reads, valueRead{Path: []string{"tags"}, Whole: true})
	}
	if part.isImporting {
		c.add(part.keys, valueRead{Path: []string{}, Whole: true})
	}
	var schema any
	if json.Unmarshal(part.schema, &schema) != nil {
		return
	}
	s := schemaReads{root: schema}
	s.walk(schema, nil, 0)
	for _, each := range s.found {
		c.add(part.keys, each)
	}
}

// readsOfPart walks all templates of a chart as if each got all values: partials, too. One that cannot be parsed may read anything.
func (r *reader) readsOfPart(part chartPart, texts []string) []valueRead {
	walk := &readWalk{reader: r, seen: map[string]bool{}}
	for _, name := range sortedKeys(part.templates) {
		tree := r.trees[name]
		switch {
		case tree == nil && strings.Contains(part.templates[name], "{{"):
			walk.found = append(walk.found, valueRead{Path: []string{}, Whole: true})
		case tree != nil:
			walk.template(tree, atRoot)
			// The values of a subchart come by it, which no path says.
			if strings.Contains(part.templates[name], ".Subcharts") {
				walk.found = append(walk.found, valueRead{Path: []string{}, Whole: true})
			}
		}
	}
	for _, text := range texts {
		walk.text(text)
	}
	return walk.found
}

// text walks a value that is a template itself.
func (w *readWalk) text(text string) {
	tree := parse.New("tpl")
	tree.Mode = parse.SkipFuncCheck
	if _, err := tree.Parse(text, "", "", map[string]*parse.Tree{}); err == nil {
		w.list(tree.Root, scope{tree, atRoot, map[string]where{"$": atRoot}})
	}
}

func textsWithActions(leaves []valueLeaf) []string {
	found := []string{}
	for _, each := range leaves {
		if text, ok := each.value.(string); ok && strings.Contains(text, "{{") {
			found = append(found, text)
		}
	}
	return found
}

// of says whether a path is read: itself, something below it, or all that it is in.
func (c chartReads) of(path []string) readness {
	path, most := c.topmost(path), isUnread
	for _, read := range c.reads {
		if !read.touches(path) {
			continue
		}
		if len(read.Path) < len(path) && c.isChart(read.Path) {
			most = mayBeRead
			continue
		}
		return isReadThere
	}
	return most
}

// names is true of a path that is read itself, or something below it: what is read of it may count in another cluster.
func (c chartReads) names(path []string) bool {
	path = c.topmost(path)
	return slices.ContainsFunc(c.reads, func(read valueRead) bool { return len(read.Path) >= len(path) && read.touches(path) })
}

// topmost is the path of a subchart's `global` in the topmost chart.
func (c chartReads) topmost(path []string) []string {
	if at := slices.Index(path, "global"); at > 0 && c.isChart(path[:at]) {
		return path[at:]
	}
	return path
}

func (c chartReads) isChart(keys []string) bool {
	return slices.ContainsFunc(c.parts, func(part chartPart) bool { return slices.Equal(part.keys, keys) })
}

func (r valueRead) touches(path []string) bool {
	for i := range min(len(r.Path), len(path)) {
		if r.Path[i] != "*" && r.Path[i] != path[i] {
			return false
		}
	}
	return len(path) <= len(r.Path) || r.Whole
}

// The keys that a schema has rules for.
type schemaReads struct {
	root  any
	found []valueRead
}

func (s *schemaReads) walk(schema any, path []string, depth int) {
	rules, ok := schema.(map[string]any)
	if !ok || depth > maxDepth || len(s.found) > maxLeaves {
		return
	}
	if reference, ok := rules["$ref"].(string); ok {
		found, isHere := s.at(reference)
		if !isHere {
			s.found = append(s.found, valueRead{Path: path, Whole: true})
		}
		s.walk(found, path, depth+1)
	}
	properties, _ := rules["properties"].(map[string]any)
	for _, key := range sortedKeys(properties) {
		own := append(slices.Clone(path), key)
		s.found = append(s.found, valueRead{Path: own})
		s.walk(properties[key], own, depth+1)
	}
	for _, key := range requiredIn(rules) {
		s.found = append(s.found, valueRead{Path: append(slices.Clone(path), key)})
	}
	if others, ok := rules["patternProperties"].(map[string]any); ok {
		for _, key := range sortedKeys(others) {
			s.other(others[key], path, depth)
		}
	}
	if _, isSchema := rules["additionalProperties"].(map[string]any); isSchema {
		s.other(rules["additionalProperties"], path, depth)
	}
	for _, word := range []string{"allOf", "anyOf", "oneOf"} {
		all, _ := rules[word].([]any)
		for _, each := range all {
			s.walk(each, path, depth+1)
		}
	}
	for _, word := range []string{"if", "then", "else", "not"} {
		s.walk(rules[word], path, depth+1)
	}
}

func (s *schemaReads) other(schema any, path []string, depth int) {
	own := append(slices.Clone(path), "*")
	s.found = append(s.found, valueRead{Path: own})
	s.walk(schema, own, depth+1)
}

// at finds what a reference in the same file names.
func (s *schemaReads) at(reference string) (any, bool) {
	path, ok := strings.CutPrefix(reference, "#")
	if !ok {
		return nil, false
	}
	at := s.root
	for _, step := range strings.Split(strings.TrimPrefix(path, "/"), "/") {
		if step == "" {
			continue
		}
		rules, _ := at.(map[string]any)
		if at, ok = rules[strings.NewReplacer("~1", "/", "~0", "~").Replace(step)]; !ok {
			return nil, false
		}
	}
	return at, true
}

func requiredIn(rules map[string]any) []string {
	all, _ := rules["required"].([]any)
	found := []string{}
	for _, each := range all {
		if key, ok := each.(string); ok {
			found = append(found, key)
		}
	}
	return found
}
