// Prints the schema of Kubernetes that kyaml has inside, as JSON: its definitions without descriptions, and the name of each by
// apiVersion and kind. The engine reads a definition when it is asked for, and needs no decoder of protocol buffers.
package main

import (
	"encoding/json"
	"os"

	"sigs.k8s.io/kustomize/kyaml/openapi"
)

type schema struct {
	Kinds       map[string]string
	Definitions map[string]any
}

func main() {
	text, err := json.Marshal(openapi.Schema().Definitions)
	if err != nil {
		panic(err)
	}
	all := schema{Kinds: map[string]string{}}
	if err := json.Unmarshal(text, &all.Definitions); err != nil {
		panic(err)
	}
	for name, definition := range all.Definitions {
		all.index(name, definition.(map[string]any))
		shorten(definition)
	}
	if err := json.NewEncoder(os.Stdout).Encode(all); err != nil {
		panic(err)
	}
}

func (s schema) index(name string, definition map[string]any) {
	kinds, _ := definition["x-kubernetes-group-version-kind"].([]any)
	for _, each := range kinds {
		kind := each.(map[string]any)
		key := kind["version"].(string) + "/" + kind["kind"].(string)
		if group, ok := kind["group"].(string); ok && group != "" {
			key = group + "/" + key
		}
		if before, ok := s.Kinds[key]; ok {
			panic(key + " is defined by " + before + " and " + name)
		}
		s.Kinds[key] = name
	}
}

// Takes the descriptions away. A property may be called description, too: it is no text.
func shorten(value any) {
	switch v := value.(type) {
	case map[string]any:
		if _, ok := v["description"].(string); ok {
			delete(v, "description")
		}
		for _, each := range v {
			shorten(each)
		}
	case []any:
		for _, each := range v {
			shorten(each)
		}
	}
}
