package main

import (
	"slices"
	"strings"
)

// A chart or one of its subcharts, deployed or not, as it is before Helm looks at values.
type chartPart struct {
	// The keys down to its values.
	keys []string
	// Texts by names that no other part has.
	templates map[string]string
	values    map[string]any
	schema    []byte
	// Paths below its values that decide about subcharts.
	conditions [][]string
	// Whether values of subcharts are imported: those may be read at other paths.
	isImporting, hasTags bool
	// The keys of subcharts that are not here.
	absent []string
}

// What Chart.yaml says of a subchart, in the words of both versions of Helm.
type subchart struct {
	name, alias, condition        string
	hasTags, isImported, isAbsent bool
}

// add takes what a chart says of its subcharts. @returns the keys of each, by their names
func (p *chartPart) add(all []subchart) map[string][]string {
	keys := map[string][]string{}
	for _, each := range all {
		for _, path := range strings.Split(each.condition, ",") {
			if path = strings.TrimSpace(path); path != "" {
				p.conditions = append(p.conditions, strings.Split(path, "."))
			}
		}
		p.hasTags, p.isImporting = p.hasTags || each.hasTags, p.isImporting || each.isImported
		key := each.alias
		if key == "" {
			key = each.name
		}
		if each.isAbsent {
			p.absent = append(p.absent, key)
		}
		if !slices.Contains(keys[each.name], key) {
			keys[each.name] = append(keys[each.name], key)
		}
	}
	return keys
}

// keysOf are the keys of a subchart; one that no list names has its own name.
func keysOf(known map[string][]string, name string) []string {
	if found := known[name]; len(found) > 0 {
		return found
	}
	return []string{name}
}
