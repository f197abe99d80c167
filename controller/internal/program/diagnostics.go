package program

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"valuefold.dev/controller/api/v1alpha1"
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

// readDiagnostics reads `--format json`; the second result is false for any other text.
func readDiagnostics(call Call, text []byte) (Report, bool) {
	var printed struct {
		Diagnostics []diagnostic `json:"diagnostics"`
	}
	if json.Unmarshal(text, &printed) != nil {
		return Report{}, false
	}
	report := Report{}
	for _, d := range printed.Diagnostics {
		if d.Severity == "warning" {
			report.Warnings = append(report.Warnings, "["+d.Code+"] "+Hide(d.text(), call.Hidden...))
		}
		if d.Code == "scope-miss" {
			report.Misses = append(report.Misses, Cut(Hide(d.text()+": "+d.Hint, call.Hidden...), messageMax))
		}
		if d.Severity == "error" {
			if strings.HasPrefix(d.Code, "sops-") {
				// For example a timeout.
				report.MayPass = len(call.Keys) > 0
				if len(call.Keys) == 0 {
					d.Hint = "set spec.decryption: without it, sops does not run"
				}
			}
			report.Failures = append(report.Failures, v1alpha1.Failure{
				Step: call.Step, Code: d.Code, Subject: Cut(d.subject(), placeMax),
				Message: Cut(Hide(d.text(), call.Hidden...), messageMax),
				At:      Cut(Hide(d.At.text(call), call.Hidden...), placeMax),
				Hint:    Cut(Hide(d.Hint, call.Hidden...), messageMax),
			})
		}
	}
	return report, true
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
