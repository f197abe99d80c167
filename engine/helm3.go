package main

import (
	"encoding/json"
	"strconv"

	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chartutil"
)

// The same as deploy4, with the types of Helm 3.
func deploy3(tree chartTree, given map[string]any) (deployed, error) {
	number := 0
	c, err := chart3(tree, &number)
	if err != nil {
		return deployed{}, err
	}
	if err := chartutil.ProcessDependenciesWithMerge(c, given); err != nil {
		return deployed{}, err
	}
	values, err := chartutil.CoalesceValues(c, given)
	return deployed{values, placed3(c, nil)}, err
}

func chart3(tree chartTree, number *int) (*chart.Chart, error) {
	c := &chart.Chart{Metadata: &chart.Metadata{Name: tree.Name, Version: tree.Version, Home: strconv.Itoa(*number)}, Values: tree.Values}
	*number++
	if err := json.Unmarshal(tree.Dependencies, &c.Metadata.Dependencies); err != nil {
		return nil, err
	}
	for _, each := range tree.Charts {
		subchart, err := chart3(each, number)
		if err != nil {
			return nil, err
		}
		c.AddDependency(subchart)
	}
	return c, nil
}

func placed3(c *chart.Chart, path []string) []placedChart {
	all := []placedChart{{append([]string{}, path...), c.Metadata.Home}}
	for _, each := range c.Dependencies() {
		all = append(all, placed3(each, append(path, each.Name()))...)
	}
	return all
}
