// What konfigure's renderer makes of a template, natively: text/template and sprig as anybody would call them. Written apart from
// engine/, which binds functions, keeps what it has parsed and reads errors in ways of its own.
// One JSON request a line on stdin, one JSON answer a line on stdout.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"text/template"
	"unicode/utf8"

	"github.com/Masterminds/sprig/v3"
)

type request struct {
	Text     string            `json:"text"`
	Values   string            `json:"values"`
	Includes map[string]string `json:"includes"`
}

type answer struct {
	Text string `json:"text"`
	// Go's own words, for the test alone.
	Error string `json:"error,omitempty"`
}

func execute(name, text string, data any, functions template.FuncMap) (string, error) {
	t, err := template.New(name).Funcs(functions).Option("missingkey=error").Parse(text)
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	err = t.Execute(&out, data)
	return out.String(), err
}

func render(r request) (text string, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	values := map[string]any{}
	if err := json.Unmarshal([]byte(r.Values), &values); err != nil {
		return "", err
	}
	functions := sprig.TxtFuncMap()
	functions["include"] = func(name string, data any) (string, error) {
		text, found := r.Includes[name]
		if !found {
			return "", fmt.Errorf("no file %q", name)
		}
		return execute(name, text, data, sprig.TxtFuncMap())
	}
	return execute("main", r.Text, values, functions)
}

func main() {
	in, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		var r request
		if in.Decode(&r) != nil {
			return
		}
		var a answer
		text, err := render(r)
		if a.Text = text; err != nil {
			a = answer{Error: err.Error()}
		} else if !utf8.ValidString(text) {
			// konfigure reads it as YAML next, which refuses it.
			a = answer{Error: "the text is not UTF-8"}
		}
		if out.Encode(a) != nil {
			return
		}
	}
}
