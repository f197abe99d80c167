package program

import (
	"encoding/json"
	"fmt"
	"strings"

	"valuefold.dev/controller/api/v1alpha1"
	"valuefold.dev/controller/internal/fault"
)

// Sizes in a status, which is an object of the API server's.
const (
	messageMax = 1000
	placeMax   = 500
)

type diagnostic struct {
	Code     string    `json:"code"`
	Severity string    `json:"severity"`
	Message  string    `json:"message"`
	Reason   string    `json:"reason"`
	Hint     string    `json:"hint"`
	At       *Position `json:"at"`
	Item     *struct {
		Kind      string `json:"kind"`
		Name      string `json:"name"`
		Namespace string `json:"namespace"`
	} `json:"item"`
}

// Position is a place in a text of an object, or in a file.
type Position struct {
	Text string `json:"text"`
	// File that the object came from.
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	// Instance of a render.
	Instance string `json:"instance"`
	Source   *struct {
		File   string `json:"file"`
		Line   int    `json:"line"`
		Column int    `json:"column"`
	} `json:"source"`
}

// readDiagnostics reads `--format json`; the last result is false for any other text.
func readDiagnostics(call Call, text []byte) (report Report, faults *fault.Fault, isRead bool) {
	var printed struct {
		Diagnostics []diagnostic `json:"diagnostics"`
	}
	if json.Unmarshal(text, &printed) != nil {
		return Report{}, nil, false
	}
	faults = &fault.Fault{}
	shown := func(text string, most int) string { return fault.Cut(fault.Hide(text, call.Hidden...), most) }
	for _, d := range printed.Diagnostics {
		if d.Severity == "warning" {
			report.Warnings = append(report.Warnings, "["+d.Code+"] "+fault.Hide(d.text(), call.Hidden...))
		}
		if d.Code == "scope-miss" {
			report.Misses = append(report.Misses, shown(d.text()+": "+d.Hint, messageMax))
		}
		if d.Severity == "error" {
			if strings.HasPrefix(d.Code, "sops-") {
				// For example a timeout.
				faults.MayPass = len(call.Keys) > 0
				if len(call.Keys) == 0 {
					d.Hint = "set spec.decryption: without it, sops does not run"
				}
			}
			faults.Failures = append(faults.Failures, v1alpha1.Failure{
				Step: call.Step, Code: d.Code, Subject: fault.Cut(d.subject(), placeMax),
				Message: shown(d.text(), messageMax), At: shown(d.At.text(call), placeMax), Hint: shown(d.Hint, messageMax),
			})
		}
	}
	return report, faults, true
}

func (d diagnostic) text() string {
	if d.Reason == "" {
		return d.Message
	}
	return d.Message + "; " + d.Reason
}

func (d diagnostic) subject() string {
	switch {
	case d.At != nil && d.At.Instance != "":
		return d.At.Instance
	case d.Item == nil:
		return ""
	case d.Item.Namespace == "":
		return d.Item.Kind + "/" + d.Item.Name
	}
	return d.Item.Kind + "/" + d.Item.Namespace + "/" + d.Item.Name
}

func (p *Position) text(call Call) string {
	if p == nil {
		return ""
	}
	if p.Text == call.Settings {
		return p.Text
	}
	text := p.Text + lineAndColumn(p.Line, p.Column)
	if call.Locate != nil {
		if file := call.Locate(*p); file != "" {
			return text + " in " + file
		}
	}
	if p.Source != nil && p.Source.File != "" {
		text += " in " + p.Source.File + lineAndColumn(p.Source.Line, p.Source.Column)
	}
	return text
}

func lineAndColumn(line, column int) string {
	if line == 0 {
		return ""
	}
	return fmt.Sprintf(":%d:%d", line, column)
}
