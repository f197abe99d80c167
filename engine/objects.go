package main

import (
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// An object that a document of a template has.
type object struct {
	document
	apiVersion, kind, namespace, name string
	root                              *yaml.Node
}

// A scalar of an object, or an empty mapping or list.
type leaf struct {
	path []any
	node *yaml.Node
	// Where its text begins and ends in the text of its template.
	start, end int
}

// objectsOf reads documents. What is no mapping with a kind is none.
func objectsOf(documents []document) ([]object, error) {
	all := []object{}
	for _, each := range documents {
		var read yaml.Node
		if err := yaml.Unmarshal([]byte(each.content), &read); err != nil {
			return nil, err
		}
		if len(read.Content) == 0 || textAt(read.Content[0], "kind") == "" {
			continue
		}
		root := read.Content[0]
		metadata := valueOf(root, "metadata")
		all = append(all, object{each, textAt(root, "apiVersion"), textAt(root, "kind"), textAt(metadata, "namespace"), textAt(metadata, "name"), root})
	}
	return all, nil
}

// valueOf is the value of a key; of one that is there twice, the last.
func valueOf(node *yaml.Node, key string) *yaml.Node {
	if node == nil || node.Kind != yaml.MappingNode {
		return nil
	}
	for i := len(node.Content) - 2; i >= 0; i -= 2 {
		if node.Content[i].Value == key {
			return node.Content[i+1]
		}
	}
	return nil
}

func textAt(node *yaml.Node, key string) string {
	if value := valueOf(node, key); value != nil {
		return value.Value
	}
	return ""
}

// Aliases that lead to themselves, or to very many nodes, end here.
const maxLeaves = 100_000

func (o object) leaves() []leaf {
	w := &leafWalk{text: o.content, offset: o.offset, starts: []int{0}}
	for i, char := range []byte(o.content) {
		if char == '\n' {
			w.starts = append(w.starts, i+1)
		}
	}
	w.walk(o.root, nil, 0)
	return w.found
}

type leafWalk struct {
	text   string
	offset int
	starts []int
	found  []leaf
}

func (w *leafWalk) walk(node *yaml.Node, path []any, depth int) {
	if len(w.found) >= maxLeaves || depth > 100 {
		return
	}
	switch {
	case node.Kind == yaml.AliasNode:
		w.walk(node.Alias, path, depth+1)
	case node.Kind == yaml.MappingNode && len(node.Content) > 0:
		for i := 0; i+1 < len(node.Content); i += 2 {
			if key := node.Content[i].Value; valueOf(node, key) == node.Content[i+1] {
				w.walk(node.Content[i+1], append(slices.Clone(path), key), depth+1)
			}
		}
	case node.Kind == yaml.SequenceNode && len(node.Content) > 0:
		for i, each := range node.Content {
			w.walk(each, append(slices.Clone(path), i), depth+1)
		}
	default:
		start := w.at(node)
		w.found = append(w.found, leaf{path, node, w.offset + start, w.offset + w.endOf(node, start)})
	}
}

// at is the offset of a node in its document.
func (w *leafWalk) at(node *yaml.Node) int {
	start := w.starts[min(max(node.Line, 1), len(w.starts))-1]
	for column := 1; column < node.Column && start < len(w.text) && w.text[start] != '\n'; column++ {
		_, size := utf8.DecodeRuneInString(w.text[start:])
		start += size
	}
	return start
}

// endOf is where the text of a scalar ends. What follows on the next line is no part of it.
func (w *leafWalk) endOf(node *yaml.Node, start int) int {
	rest := w.text[start:]
	line, _, _ := strings.Cut(rest, "\n")
	switch {
	case node.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		return start + len(strings.TrimRight(rest[:w.endOfBlock(start)-start], " \n\t"))
	case node.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0 && rest != "":
		return start + min(endOfQuoted(rest, 0)+1, len(rest))
	case node.Kind == yaml.ScalarNode && node.Value != "" && strings.HasPrefix(rest, node.Value):
		return start + len(node.Value)
	}
	return start + len(line)
}

// endOfBlock is where the lines of a block scalar end: at the first that is indented no more than the one it begins on.
func (w *leafWalk) endOfBlock(start int) int {
	line, _ := slices.BinarySearch(w.starts, start+1)
	indent := indentOf(w.text[w.starts[line-1]:])
	for ; line < len(w.starts); line++ {
		rest := w.text[w.starts[line]:]
		if text, _, _ := strings.Cut(rest, "\n"); strings.TrimSpace(text) != "" && indentOf(rest) <= indent {
			return w.starts[line]
		}
	}
	return len(w.text)
}

func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// kindOf is what the text of a leaf means to a cluster.
func kindOf(node *yaml.Node) string {
	switch {
	case node.Kind == yaml.MappingNode:
		return "map"
	case node.Kind == yaml.SequenceNode:
		return "seq"
	case node.Style == 0 && slices.Contains([]string{"yes", "no", "on", "off"}, strings.ToLower(node.Value)):
		return "bool"
	}
	switch node.ShortTag() {
	case "!!int", "!!float", "!!bool", "!!null":
		return node.ShortTag()[2:]
	}
	return "str"
}

// textOf is the same for nodes that mean the same.
func textOf(node *yaml.Node) string {
	if node.Kind == yaml.ScalarNode {
		return node.Value
	}
	return ""
}

// pieceOf is the piece that a leaf is from: where its text begins, or the first action in it that writes something.
func (m *marker) pieceOf(l leaf, pieces []piece) (found piece, ok bool) {
	for i, each := range pieces {
		if each.offset > l.end || (each.offset == l.end && l.start < l.end && l.node.Value != "") {
			break
		}
		if each.offset <= l.start {
			found, ok = each, true
			continue
		}
		writes := i+1 == len(pieces) || pieces[i+1].offset > each.offset
		if ok && m.places[found.place].action == "" && m.places[each.place].action != "" && (writes || l.node.Value == "") {
			return each, true
		}
	}
	return found, ok
}
