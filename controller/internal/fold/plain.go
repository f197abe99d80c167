package fold

import (
	"encoding/json"
	"errors"
	"fmt"
)

// plain are settings as JSON, which all readers of YAML read in one way: what is checked here is what the program gets.
type plain struct {
	text []byte
	// files are the values of all keys that are called `file`.
	files []string
	size  int
}

func plainOf(text []byte) (*plain, error) {
	p := &plain{}
	err := eachDocument(text, func(document map[string]any) error {
		// Before they are written: an alias costs nothing until then.
		if err := p.note(document); err != nil {
			return err
		}
		written, err := json.Marshal(document)
		p.text = fmt.Appendf(p.text, "---\n%s\n", written)
		return err
	})
	return p, err
}

func (p *plain) note(value any) error {
	switch value := value.(type) {
	case map[string]any:
		for key, each := range value {
			if name, is := each.(string); is && key == "file" {
				p.files = append(p.files, name)
			}
			if err := errors.Join(p.note(key), p.note(each)); err != nil {
				return err
			}
		}
	case []any:
		for _, each := range value {
			if err := p.note(each); err != nil {
				return err
			}
		}
	case string:
		if p.size += len(value); p.size > mostSettings {
			return fmt.Errorf("the settings have more than %d bytes", mostSettings)
		}
	case map[any]any:
		return errors.New("the settings have a key that is no text")
	}
	return nil
}
