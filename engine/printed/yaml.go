// Package printed prints JSON as YAML, with the bytes that sigs.k8s.io/yaml prints.
package printed

import (
	"bytes"
	"encoding/json"
	"strconv"

	goyaml "go.yaml.in/yaml/v2"
	"sigs.k8s.io/yaml"
)

// YAML has no key on one line that is longer than 1,024 bytes; JSON writes one byte as six at most.
const longestKey = 1024 / 6

// FromJSON prints what json.Marshal made. sigs.k8s.io/yaml reads that as YAML, so that whole numbers stay whole, which takes as long as
// the rest: it does so here only where YAML may read it in another way than JSON.
func FromJSON(text []byte) ([]byte, error) {
	if value, ok := read(text); ok {
		return goyaml.Marshal(value)
	}
	return yaml.JSONToYAML(text)
}

func read(text []byte) (any, bool) {
	isOther := func(char rune) bool { return char < ' ' || char > '~' }
	if bytes.ContainsFunc(text, isOther) {
		return nil, false
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, false
	}
	return numbered(value)
}

// numbered has numbers as YAML's reader has them.
func numbered(value any) (any, bool) {
	switch v := value.(type) {
	case map[string]any:
		for key, each := range v {
			found, ok := numbered(each)
			if !ok || len(key) > longestKey {
				return nil, false
			}
			v[key] = found
		}
	case []any:
		for i, each := range v {
			found, ok := numbered(each)
			if !ok {
				return nil, false
			}
			v[i] = found
		}
	case json.Number:
		return number(string(v))
	}
	return value, true
}

func number(text string) (any, bool) {
	if whole, err := strconv.ParseInt(text, 10, 64); err == nil {
		return whole, true
	}
	if whole, err := strconv.ParseUint(text, 10, 64); err == nil {
		return whole, true
	}
	fraction, err := strconv.ParseFloat(text, 64)
	return fraction, err == nil
}
