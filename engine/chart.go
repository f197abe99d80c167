package main

import (
	"fmt"
	"slices"
	"strings"
	"text/template"
	"text/template/parse"
)

// A file of a chart, by its path in the chart's folder.
type chartFile struct {
	name    string
	content []byte
}

// A chart as one version of Helm reads it.
type loadedChart interface {
	// Each render gets a copy of the chart: Helm changes what it renders.
	render(rendering) (outcome, error)
	// The documents of rendered texts as `helm template` prints them, hooks at the end.
	documents(texts map[string]string) ([]printed, error)
	// The chart and all subcharts in it.
	parts() []chartPart
}

// What a render depends on, beside the files of the chart.
type rendering struct {
	user        map[string]any
	release     string
	namespace   string
	kubeVersion string
	apiVersions []string
	// Values that are coalesced already, for the charts of the first render; nil for those of the user.
	values map[string]any
	// In place of what Chart.yaml says, if they are given.
	chartName, chartVersion, appVersion string
	// Without what only refuses: a schema, the versions of Kubernetes that a chart names.
	isTrial bool
	// Of all templates, parsed and perhaps marked; and what is behind the names of those that files are rendered by.
	trees  map[string]*parse.Tree
	suffix string
	parsed func(*template.Template)
	// Which templates are rendered, by their names without the chart's; nil for all.
	only map[string]bool
	// For other random numbers and another time.
	otherwise int
}

func (r rendering) renders(name string) bool {
	return (r.only == nil || r.only[nameOf(name)]) && !(r.isTrial && isNotes(name))
}

func isNotes(name string) bool { return strings.HasSuffix(name, "NOTES.txt") }

// What a render gives.
type outcome struct {
	// By the names that Helm gives to templates.
	texts map[string]string
	// All values, coalesced.
	values map[string]any
	// Of all templates of charts that are deployed, by their names.
	templates map[string]chartTemplate
	// Whether a chart imports values of its subcharts.
	isImported bool
	// Values that decide whether a subchart is deployed, by their keys from the top.
	conditions map[string]bool
	// Files of the folders `crds`, and what Helm calls them.
	crds []printed
}

// addConditions takes what Chart.yaml says of a subchart: paths below the values of the chart that has it.
func (o outcome) addConditions(keys []string, condition string) {
	for _, each := range strings.Split(condition, ",") {
		if each = strings.TrimSpace(each); each != "" {
			o.conditions[strings.Join(append(slices.Clone(keys), strings.Split(each, ".")...), "\x00")] = true
		}
	}
}

// decides is true of a value that decides whether a subchart is deployed.
func (o outcome) decides(path []any) bool {
	keys := []string{}
	for _, each := range path {
		key, ok := each.(string)
		if !ok {
			return false
		}
		keys = append(keys, key)
	}
	return o.conditions[strings.Join(keys, "\x00")] || (len(keys) > 1 && keys[0] == "tags")
}

type chartTemplate struct {
	// Its file in the chart's folder, which an alias does not change.
	file string
	// The keys down to the values of its chart.
	path []string
}

// A document, or a file with CRDs.
type printed struct {
	template string
	content  string
	// The file of CRDs.
	file string
}

// checkDependencies is what `helm template` does before it renders.
func checkDependencies(kind string, wanted, found []string) error {
	if kind != "" && kind != "application" {
		return fmt.Errorf("%s charts are not installable", kind)
	}
	missing := []string{}
	for _, name := range wanted {
		if !contains(found, name) {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("found in Chart.yaml, but missing in charts/ directory: %s", strings.Join(missing, ", "))
	}
	return nil
}

func contains(all []string, one string) bool {
	for _, each := range all {
		if each == one {
			return true
		}
	}
	return false
}

// copied is a deep copy of values.
func copied(value any) any {
	switch v := value.(type) {
	case map[string]any:
		all := make(map[string]any, len(v))
		for key, each := range v {
			all[key] = copied(each)
		}
		return all
	case []any:
		all := make([]any, len(v))
		for i, each := range v {
			all[i] = copied(each)
		}
		return all
	}
	return value
}

func copiedMap(values map[string]any) map[string]any {
	if values == nil {
		return nil
	}
	return copied(values).(map[string]any)
}

// Files by where their content is in memory: loading and aliases keep that, and no path.
type origins map[*byte]string

func (o origins) add(name string, content []byte) {
	if len(content) > 0 {
		o[&content[0]] = name
	}
}

func (o origins) of(content []byte) string {
	if len(content) == 0 {
		return ""
	}
	return o[&content[0]]
}

// describe sets what a trial changes of a chart's description.
func (r rendering) describe(isTop bool, name, version, appVersion *string) {
	if isTop && r.chartName != "" {
		*name = r.chartName
	}
	if r.chartVersion != "" {
		*version = r.chartVersion
	}
	if r.appVersion != "" {
		*appVersion = r.appVersion
	}
}
