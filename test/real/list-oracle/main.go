// The list oracle: the API server's own merge (structured-merge-diff) over a line protocol. One JSON request a line on
// stdin (a base and an override with lists by key and sets), one JSON answer a line on stdout: what they merge to.
package main

import (
	"bufio"
	"encoding/json"
	"io"
	"os"

	"sigs.k8s.io/structured-merge-diff/v6/typed"
)

// Lists of elements told apart by one key, by two, and a set; what is inside merges as its kind says.
const schema = `types:
- name: document
  map:
    fields:
    - name: env
      type: {list: {elementType: {namedType: element}, elementRelationship: associative, keys: [name]}}
    - name: ports
      type: {list: {elementType: {namedType: element}, elementRelationship: associative, keys: [port, proto]}}
    - name: set
      type: {list: {elementType: {scalar: untyped}, elementRelationship: associative}}
- name: element
  map: {elementType: {namedType: deduced}}
- name: whole
  scalar: untyped
  list: {elementType: {namedType: whole}, elementRelationship: atomic}
  map: {elementType: {namedType: whole}, elementRelationship: atomic}
- name: deduced
  scalar: untyped
  list: {elementType: {namedType: whole}, elementRelationship: atomic}
  map: {elementType: {namedType: deduced}, elementRelationship: separable}
`

type request struct {
	Base     map[string]any `json:"base"`
	Override map[string]any `json:"override"`
}

type answer struct {
	Merged any    `json:"merged"`
	Error  string `json:"error,omitempty"`
}

func main() {
	parser, err := typed.NewParser(schema)
	if err != nil {
		panic(err)
	}
	document := parser.Type("document")
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := json.NewEncoder(os.Stdout)
	for {
		line, failed := in.ReadBytes('\n')
		if len(line) > 1 {
			if err := out.Encode(merge(document, line)); err != nil {
				panic(err)
			}
		}
		if failed == io.EOF {
			return
		}
	}
}

func merge(document typed.ParseableType, line []byte) answer {
	var r request
	if err := json.Unmarshal(line, &r); err != nil {
		return answer{Error: err.Error()}
	}
	base, err := document.FromUnstructured(r.Base)
	if err != nil {
		return answer{Error: err.Error()}
	}
	override, err := document.FromUnstructured(r.Override)
	if err != nil {
		return answer{Error: err.Error()}
	}
	merged, err := base.Merge(override)
	if err != nil {
		return answer{Error: err.Error()}
	}
	return answer{Merged: merged.AsValue().Unstructured()}
}
