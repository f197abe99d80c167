package main

import (
	"regexp"
	"strings"
	"text/template"

	"sigs.k8s.io/yaml"
)

// What the ApplicationSet controller adds to sprig. `slugify` needs a table of all scripts, and is no function here.
var applicationSetFunctions = template.FuncMap{
	"normalize":     normalize,
	"toYaml":        toYAML,
	"fromYaml":      fromYAML,
	"fromYamlArray": fromYAMLArray,
}

var notInNames = regexp.MustCompile("[^-a-z0-9.]")

const longestName = 253

// A name that Kubernetes takes.
func normalize(name string) string {
	name = notInNames.ReplaceAllString(strings.ToLower(name), "-")
	return strings.Trim(name[:min(len(name), longestName)], "-.")
}

func toYAML(value any) (string, error) {
	text, err := yaml.Marshal(value)
	return strings.TrimSuffix(string(text), "\n"), err
}

func fromYAML(text string) (map[string]any, error) {
	value := map[string]any{}
	return value, yaml.Unmarshal([]byte(text), &value)
}

func fromYAMLArray(text string) ([]any, error) {
	value := []any{}
	return value, yaml.Unmarshal([]byte(text), &value)
}
