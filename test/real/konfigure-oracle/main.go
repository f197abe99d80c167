// The rendering oracle: konfigure's own renderer, and Go's regular expressions, over a line protocol. One JSON request
// a line on stdin (a directory, a schema, variables; or patterns and names), one JSON answer a line on stdout.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"regexp"

	"github.com/giantswarm/konfigure/v2/pkg/service"
	"github.com/go-logr/logr"
	"sigs.k8s.io/yaml"
)

type request struct {
	Dir       string   `json:"dir"`
	Schema    string   `json:"schema"`
	Variables []string `json:"variables"`
	// Instead of a render: which names each pattern matches.
	Patterns []string `json:"patterns"`
	Names    []string `json:"names"`
}

type answer struct {
	// JSON texts: a reader of the line would round the numbers in them.
	ConfigMap string `json:"configMap,omitempty"`
	Secret    string `json:"secret,omitempty"`
	// For each pattern the names it matches; null where it is no regular expression.
	Matches [][]string `json:"matches,omitempty"`
	Error   string     `json:"error,omitempty"`
}

func main() {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 1 {
			encoded, failed := json.Marshal(ask(line))
			if failed != nil {
				encoded, _ = json.Marshal(answer{Error: failed.Error()})
			}
			out.Write(encoded)
			out.WriteByte('\n')
			out.Flush()
		}
		if err == io.EOF {
			return
		}
	}
}

func ask(line []byte) (a answer) {
	defer func() {
		if cause := recover(); cause != nil {
			a = answer{Error: fmt.Sprintf("panic: %v", cause)}
		}
	}()
	var r request
	if err := json.Unmarshal(line, &r); err != nil {
		return answer{Error: fmt.Sprintf("request: %v", err)}
	}
	if len(r.Patterns) > 0 {
		return answer{Matches: matches(r)}
	}
	return render(r)
}

func matches(r request) (all [][]string) {
	for _, pattern := range r.Patterns {
		compiled, err := regexp.Compile(pattern)
		if err != nil {
			all = append(all, nil)
			continue
		}
		found := []string{}
		for _, name := range r.Names {
			if compiled.MatchString(name) {
				found = append(found, name)
			}
		}
		all = append(all, found)
	}
	return all
}

func render(r request) (a answer) {
	s := service.NewDynamicService(service.DynamicServiceConfig{Log: logr.Discard()})
	configMap, secret, err := s.RenderRaw(r.Dir, r.Schema, r.Variables)
	if err != nil {
		return answer{Error: err.Error()}
	}
	for _, each := range []struct {
		text string
		into *string
	}{{configMap, &a.ConfigMap}, {secret, &a.Secret}} {
		asJSON, err := yaml.YAMLToJSON([]byte(each.text))
		if err != nil {
			return answer{Error: fmt.Sprintf("output: %v", err)}
		}
		*each.into = string(asJSON)
	}
	return a
}
