package main

import (
	"reflect"
	"slices"
	"strings"
	"text/template/parse"
)

// A template's text, and what the parser made of it: one tree for itself, and one for each `define` in it.
type source struct {
	name  string
	text  string
	trees map[string]*parse.Tree
}

// 1-based; columns count bytes.
type place struct{ line, column int }

func (s *source) placeOf(offset int) place {
	before := s.text[:offset]
	return place{1 + strings.Count(before, "\n"), offset - strings.LastIndex(before, "\n")}
}

// Calls for every node of every tree, parents first.
func (s *source) visit(call func(parse.Node)) {
	for _, tree := range s.trees {
		if tree.Root != nil {
			visit(tree.Root, call)
		}
	}
}

func visit(node parse.Node, call func(parse.Node)) {
	if value := reflect.ValueOf(node); !value.IsValid() || value.IsNil() {
		return
	}
	call(node)
	for _, child := range childrenOf(node) {
		visit(child, call)
	}
}

func childrenOf(node parse.Node) []parse.Node {
	switch n := node.(type) {
	case *parse.ListNode:
		return n.Nodes
	case *parse.ActionNode:
		return []parse.Node{n.Pipe}
	case *parse.TemplateNode:
		return []parse.Node{n.Pipe}
	case *parse.IfNode:
		return branches(&n.BranchNode)
	case *parse.RangeNode:
		return branches(&n.BranchNode)
	case *parse.WithNode:
		return branches(&n.BranchNode)
	case *parse.PipeNode:
		return each(n.Decl, each(n.Cmds, nil))
	case *parse.CommandNode:
		return n.Args
	case *parse.ChainNode:
		return []parse.Node{n.Node}
	}
	return nil
}

func branches(n *parse.BranchNode) []parse.Node {
	return []parse.Node{n.Pipe, n.List, n.ElseList}
}

func each[T parse.Node](nodes []T, more []parse.Node) []parse.Node {
	for _, node := range nodes {
		more = append(more, node)
	}
	return more
}

// A name that stands in a node, and where.
type word struct {
	text   string
	offset int
}

// The keys that the nodes name; then those that stand behind parentheses around them: for a key of `(dict).a` Go tells where
// it was last, which is inside.
func (s *source) keysAt(nodes []parse.Node) []word {
	words := []word{}
	for _, node := range nodes {
		words = append(words, s.keysIn(node)...)
	}
	s.visit(func(outer parse.Node) {
		if chain, ok := outer.(*parse.ChainNode); ok {
			visit(chain.Node, func(inner parse.Node) {
				if slices.Contains(nodes, inner) {
					words = append(words, s.keysIn(chain)...)
				}
			})
		}
	})
	return words
}

// The keys that a node names, in the order of its text.
func (s *source) keysIn(node parse.Node) []word {
	switch n := node.(type) {
	case *parse.FieldNode:
		// With several keys the parser's position is that of the second.
		return s.keysFrom(n.Ident, min(1, len(n.Ident)-1), int(n.Pos))
	case *parse.VariableNode:
		return s.keysFrom(n.Ident[1:], 0, int(n.Pos))
	case *parse.ChainNode:
		return s.keysFrom(n.Field, 0, int(n.Pos))
	}
	return nil
}

// Keys stand close together: `.a.b`. At `offset` stands the one of that index.
func (s *source) keysFrom(keys []string, index, offset int) []word {
	for _, key := range keys[:index] {
		offset -= len(key) + 1
	}
	words := []word{}
	for _, key := range keys {
		words = append(words, word{key, offset})
		offset += len(key) + 1
	}
	return words
}
