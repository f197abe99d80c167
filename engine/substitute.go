package main

import (
	"fmt"
	"regexp"

	"github.com/fluxcd/pkg/envsubst"
)

// What Flux takes for a variable's name.
var variableName = regexp.MustCompile("^[_[:alpha:]][_[:alpha:][:digit:]]*$")

// Flux' substitution, text by text: it gives envsubst a resource at a time, and refuses missing variables if it is strict.
func substitute(r *request, a *answer) error {
	var given struct {
		Vars   map[string]string
		Strict bool
	}
	if err := r.arguments(&given); err != nil {
		return err
	}
	for name := range given.Vars {
		if !variableName.MatchString(name) {
			return fmt.Errorf("'%s' var name is invalid, must match '%s'", name, variableName)
		}
	}
	valueOf := func(name string) (string, bool) {
		value, ok := given.Vars[name]
		return value, ok || !given.Strict
	}
	return r.each(func(name string, content []byte) error {
		text, err := envsubst.Eval(string(content), valueOf)
		if err != nil {
			return fmt.Errorf("variable substitution failed: %w", err)
		}
		a.add(name, []byte(text))
		return nil
	})
}
