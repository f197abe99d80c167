// Package fault has what the author of a source can mend, and the texts of that which a status holds.
package fault

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"valuefold.dev/controller/api/v1alpha1"
)

// Fault ends a run. All other errors are not those of the source.
type Fault struct {
	Failures []v1alpha1.Failure
	// MayPass is true if the same source may have another outcome.
	MayPass bool
}

func (f *Fault) Error() string { return f.Failures[0].Message }

// Of a step.
func Of(step, format string, args ...any) *Fault {
	return &Fault{Failures: []v1alpha1.Failure{{Step: step, Message: fmt.Sprintf(format, args...)}}}
}

// Hide leaves the names of folders out, with the slash after them.
func Hide(text string, folders ...string) string {
	for _, folder := range folders {
		text = strings.ReplaceAll(text, folder+"/", "")
		text = strings.ReplaceAll(text, folder, ".")
	}
	return text
}

// Cut keeps a text below a size, in whole characters.
func Cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most] + "…"
}
