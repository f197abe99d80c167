package fold

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"

	"go.yaml.in/yaml/v3"
)

// plain writes settings again, without anything that two readers of YAML may read in two ways: what is checked here is
// what the program gets.
type plain struct {
	text bytes.Buffer
	// files are the values of all keys that are called `file`.
	files []string
	depth int
}

// An alias may name what it is in.
const mostDepth = 50

var errTooLarge = fmt.Errorf("the settings have more than %d bytes or %d levels", mostSettings, mostDepth)

func plainOf(text []byte) (*plain, error) {
	p, documents := &plain{}, yaml.NewDecoder(bytes.NewReader(text))
	for {
		var document yaml.Node
		err := documents.Decode(&document)
		if errors.Is(err, io.EOF) {
			return p, nil
		}
		if err != nil {
			return nil, errors.New("the settings are no YAML that can be read")
		}
		p.text.WriteString("---\n")
		if err := p.write(&document); err != nil {
			return nil, err
		}
		p.text.WriteString("\n")
	}
}

func (p *plain) write(node *yaml.Node) error {
	if p.depth++; p.depth > mostDepth || p.text.Len() > mostSettings {
		return errTooLarge
	}
	defer func() { p.depth-- }()
	switch node.Kind {
	case yaml.AliasNode:
		return p.write(node.Alias)
	case yaml.DocumentNode:
		return p.list("", node.Content, "")
	case yaml.SequenceNode:
		return p.list("[", node.Content, "]")
	case yaml.MappingNode:
		return p.mapping(node.Content)
	default:
		return p.scalar(node)
	}
}

func (p *plain) list(begin string, all []*yaml.Node, end string) error {
	p.text.WriteString(begin)
	for index, each := range all {
		if index > 0 {
			p.text.WriteString(", ")
		}
		if err := p.write(each); err != nil {
			return err
		}
	}
	p.text.WriteString(end)
	return nil
}

func (p *plain) mapping(content []*yaml.Node) error {
	p.text.WriteString("{")
	for index := 0; index < len(content); index += 2 {
		key, value := content[index], content[index+1]
		if key.Kind != yaml.ScalarNode {
			return errors.New("the settings have a key that is no text")
		}
		for value.Kind == yaml.AliasNode {
			value = value.Alias
		}
		if key.Value == "file" && value.Kind == yaml.ScalarNode {
			p.files = append(p.files, value.Value)
		}
		if err := p.scalar(key); err != nil {
			return err
		}
		p.text.WriteString(": ")
		if err := p.list("", []*yaml.Node{value}, ", "); err != nil {
			return err
		}
	}
	p.text.WriteString("}")
	return nil
}

// What is no text is a word: a number, a truth value, null.
var word = regexp.MustCompile(`^[-+.~<\w]+$`)

func (p *plain) scalar(node *yaml.Node) error {
	switch node.Tag {
	case "!!int", "!!float", "!!bool", "!!null", "!!merge":
		if word.MatchString(node.Value) {
			p.text.WriteString(node.Value)
			return nil
		}
	}
	if node.Tag == "!!null" {
		p.text.WriteString("null")
		return nil
	}
	text, err := json.Marshal(node.Value)
	p.text.Write(text)
	return err
}
