package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/fluxcd/pkg/envsubst"
)

// What Flux puts in place of variables, and those that are known to be set elsewhere.
type variables struct {
	Vars map[string]string
	// An expression with one of them stays as it is written.
	Stays []string
}

// Flux' substitution: it gives envsubst a resource at a time. Texts that it refuses have a reason in place of a result.
func substitute(r *request, a *answer) error {
	var given variables
	if err := r.arguments(&given); err != nil {
		return err
	}
	asked, refused := map[string][]string{}, map[string]string{}
	err := r.each(func(name string, content []byte) error {
		names := map[string]bool{}
		text, err := given.in(string(content), names)
		if err != nil {
			refused[name] = err.Error()
			return nil
		}
		asked[name] = slices.Sorted(maps.Keys(names))
		a.add(name, []byte(text))
		return nil
	})
	a.results["asked"], a.results["refused"] = asked, refused
	return err
}

// in notes the names that it asks for. Only a text with names that stay, or one that is refused, is read piece by piece.
func (v variables) in(text string, asked map[string]bool) (string, error) {
	made, wrong := v.eval(text, asked)
	if wrong == nil && !v.stay(asked) {
		return made, nil
	}
	var all strings.Builder
	for at := 0; at < len(text); {
		switch rest := text[at:]; {
		case strings.HasPrefix(rest, "$$"):
			all.WriteByte('$')
			at += 2
		case strings.HasPrefix(rest, "${"):
			own := map[string]bool{}
			source, err := expressionIn(rest)
			if err == nil {
				made, err = v.eval(source, own)
			}
			if err != nil {
				return "", fmt.Errorf("%w in line %d of the object", err, strings.Count(text[:at], "\n")+1)
			}
			if v.stay(own) {
				made = source
			}
			all.WriteString(made)
			at += len(source)
		default:
			plain, _, _ := strings.Cut(rest[1:], "$")
			all.WriteString(rest[:1+len(plain)])
			at += 1 + len(plain)
		}
	}
	return all.String(), wrong
}

func (v variables) stay(asked map[string]bool) bool {
	return slices.ContainsFunc(v.Stays, func(name string) bool { return asked[name] })
}

// eval turns a panic of envsubst into what is wrong with one text: Flux goes on with the next, too.
func (v variables) eval(text string, asked map[string]bool) (made string, err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("bad substitution")
		}
	}()
	return envsubst.Eval(text, func(name string) (string, bool) {
		asked[name] = true
		return v.Vars[name], true
	})
}

// expressionIn gives the start of a text that is an expression: up to the first bracket with which it is a whole one.
func expressionIn(text string) (string, error) {
	open := 0
	for at := range len(text) {
		// Two dollars are one, and may open nothing.
		if strings.HasPrefix(text[at:], "${") && (at == 0 || text[at-1] != '$') {
			open++
		}
		if text[at] != '}' {
			continue
		}
		if open--; open > 0 {
			continue
		}
		if _, err := envsubst.Parse(text[:at+1]); err == nil {
			return text[:at+1], nil
		}
	}
	_, err := envsubst.Parse(text)
	return "", cmp.Or(err, errors.New("missing closing brace"))
}
