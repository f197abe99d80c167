package main

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"text/template/parse"
)

// Where a piece of rendered text is from: a line of a file of the chart, 1-based. For an action also its source.
type origin struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	action string
	// What decides whether it is written, outermost first.
	around []condition
}

// An `if`, `with` or `range` of a file.
type condition struct {
	linePlace
	action string
	at     parse.Pos
}

// From an offset of a template's text on, the text is of `place`, inside of the actions that include it, outermost first.
type piece struct {
	offset  int
	place   int
	through []int
}

// A marker makes trees that write, before each piece of text, where it is from. Texts of includes are marked only where their
// action hands them on as they are: what a function looks at has no marks.
type marker struct {
	trees map[string]*parse.Tree
	// The text and the file of each tree, by its name for the parser.
	texts map[string]string
	files map[string]string
	// Two characters that are in none of the files and values.
	open, shut string
	places     []origin
	known      map[string]int
	// Where the lines of files begin.
	starts map[string][]int
	// The conditions around what is marked now.
	around []condition
}

// Private characters of Unicode, of which the two first that no content has are marks.
func unusedCharacters(contents ...[]byte) (open, shut string) {
	free := []string{}
	for char := '\uE000'; char <= '\uF8FF' && len(free) < 2; char++ {
		text := string(char)
		if !slices.ContainsFunc(contents, func(each []byte) bool { return bytes.Contains(each, []byte(text)) }) {
			free = append(free, text)
		}
	}
	if len(free) < 2 {
		return "", ""
	}
	return free[0], free[1]
}

func (m *marker) suffix() string { return m.open + m.shut }

// all gives the trees as they are, and marked ones beside them.
func (m *marker) all() map[string]*parse.Tree {
	all := map[string]*parse.Tree{}
	for name, tree := range m.trees {
		all[name] = tree
		marked := tree.Copy()
		if m.texts[tree.ParseName] != "" {
			m.list(marked.Root, tree.ParseName)
		}
		all[name+m.suffix()] = marked
	}
	return all
}

func (m *marker) list(list *parse.ListNode, file string) {
	if list == nil {
		return
	}
	nodes := []parse.Node{}
	for _, node := range list.Nodes {
		switch n := node.(type) {
		case *parse.TextNode:
			nodes = append(nodes, m.lines(n, file)...)
			continue
		case *parse.ActionNode:
			if len(n.Pipe.Decl) > 0 {
				break
			}
			place := m.place(file, n.Pos, true)
			m.include(n.Pipe)
			nodes = append(nodes, m.note("a", place), n, m.note("z", 0))
			continue
		case *parse.TemplateNode:
			place := m.place(file, n.Pos, true)
			if m.trees[n.Name] != nil {
				n.Name += m.suffix()
			}
			nodes = append(nodes, m.note("a", place), n, m.note("z", 0))
			continue
		case *parse.IfNode:
			m.branches(&n.BranchNode, file)
		case *parse.WithNode:
			m.branches(&n.BranchNode, file)
		case *parse.RangeNode:
			m.branches(&n.BranchNode, file)
		}
		nodes = append(nodes, node)
	}
	list.Nodes = nodes
}

func (m *marker) branches(n *parse.BranchNode, file string) {
	at := m.originAt(file, n.Pos)
	own := condition{linePlace{at.File, at.Line}, actionAt(m.texts[file], int(n.Pos)), n.Pos}
	m.within(own, n.List, file)
	own.action = "{{ else }} of " + own.action
	m.within(own, n.ElseList, file)
}

func (m *marker) within(own condition, list *parse.ListNode, file string) {
	outer := m.around
	m.around = append(slices.Clone(outer), own)
	m.list(list, file)
	m.around = outer
}

// lines marks each line of a text that has something on it.
func (m *marker) lines(n *parse.TextNode, file string) []parse.Node {
	nodes, at := []parse.Node{}, n.Pos
	for _, line := range strings.SplitAfter(string(n.Text), "\n") {
		if strings.TrimSpace(line) != "" {
			nodes = append(nodes, m.note("", m.place(file, at, false)))
		}
		nodes = append(nodes, textNode(line))
		at += parse.Pos(len(line))
	}
	return nodes
}

func textNode(text string) parse.Node {
	return &parse.TextNode{NodeType: parse.NodeText, Text: []byte(text)}
}

func (m *marker) note(kind string, place int) parse.Node {
	return textNode(m.open + kind + strconv.Itoa(place) + m.shut)
}

// What hands on the text of an include as it is, but for the place of its lines.
var indenting = map[string]bool{"indent": true, "nindent": true}

// include lets `include "x" . | nindent 4` include the marked tree.
func (m *marker) include(pipe *parse.PipeNode) {
	for _, command := range pipe.Cmds[1:] {
		if function, ok := command.Args[0].(*parse.IdentifierNode); !ok || !indenting[function.Ident] {
			return
		}
	}
	arguments := pipe.Cmds[0].Args
	if function, ok := arguments[0].(*parse.IdentifierNode); !ok || function.Ident != "include" || len(arguments) != 3 {
		return
	}
	if name, ok := literal(arguments[1]); ok && m.trees[name] != nil {
		marked := name + m.suffix()
		arguments[1] = &parse.StringNode{NodeType: parse.NodeString, Quoted: strconv.Quote(marked), Text: marked}
	}
}

func (m *marker) place(file string, at parse.Pos, isAction bool) int {
	at = min(at, parse.Pos(len(m.texts[file])))
	found := m.originAt(file, at)
	key := found.File + ":" + strconv.Itoa(found.Line)
	if isAction {
		found.action = actionAt(m.texts[file], int(at))
		key += ":" + strconv.Itoa(int(at))
	} else if len(m.around) > 0 {
		key += ":in " + strconv.Itoa(int(m.around[len(m.around)-1].at)) + m.around[len(m.around)-1].action
	}
	number, ok := m.known[key]
	if !ok {
		number = len(m.places)
		m.places, m.known[key] = append(m.places, found), number
	}
	return number
}

// conditionsOf are those around a piece, nearest first, each once.
func (m *marker) conditionsOf(p piece) (all []condition) {
	for _, place := range append(slices.Clone(p.through), p.place) {
		for _, each := range m.places[place].around {
			if !slices.Contains(all, each) {
				all = append(all, each)
			}
		}
	}
	slices.Reverse(all)
	return all
}

func (m *marker) originAt(file string, at parse.Pos) origin {
	return origin{File: m.files[file], Line: m.line(file, int(at)), around: m.around}
}

func (m *marker) line(file string, at int) int {
	starts, ok := m.starts[file]
	if !ok {
		for i, char := range []byte(m.texts[file]) {
			if char == '\n' {
				starts = append(starts, i+1)
			}
		}
		m.starts[file] = starts
	}
	before, isStart := slices.BinarySearch(starts, at)
	if isStart {
		before++
	}
	return 1 + before
}

// actionAt is the action around an offset, on one line.
func actionAt(text string, at int) string {
	start := strings.LastIndex(text[:at], "{{")
	if start < 0 {
		return ""
	}
	for end := at; end < len(text); end++ {
		switch text[end] {
		case '"', '\'', '`':
			end = endOfQuoted(text, end)
		case '}':
			if strings.HasPrefix(text[end:], "}}") {
				return strings.Join(strings.Fields(text[start:end+2]), " ")
			}
		}
	}
	return ""
}

func endOfQuoted(text string, start int) int {
	for end := start + 1; end < len(text); end++ {
		if text[end] == text[start] {
			return end
		}
		if text[end] == '\\' && text[start] != '`' {
			end++
		}
	}
	return len(text)
}

// unmarked takes the marks out of a rendered text. False if one is broken.
func (m *marker) unmarked(text string) (plain string, pieces []piece, ok bool) {
	var out strings.Builder
	open := []int{}
	for {
		before, rest, found := strings.Cut(text, m.open)
		out.WriteString(before)
		if !found {
			return out.String(), pieces, len(open) == 0 && !strings.Contains(out.String(), m.shut)
		}
		mark, after, whole := strings.Cut(rest, m.shut)
		kind, digits := "", mark
		if strings.HasPrefix(mark, "a") || strings.HasPrefix(mark, "z") {
			kind, digits = mark[:1], mark[1:]
		}
		number, err := strconv.Atoi(digits)
		if !whole || err != nil || number >= len(m.places) || (kind == "z" && len(open) == 0) {
			return "", nil, false
		}
		text = after
		switch kind {
		case "z":
			open = open[:len(open)-1]
			continue
		case "a":
			pieces = append(pieces, piece{out.Len(), number, slices.Clone(open)})
			open = append(open, number)
		default:
			pieces = append(pieces, piece{out.Len(), number, slices.Clone(open)})
		}
	}
}
