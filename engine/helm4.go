package main

import (
	"encoding/json"
	"strconv"

	"helm.sh/helm/v4/pkg/chart/common/util"
	v2 "helm.sh/helm/v4/pkg/chart/v2"
	v2util "helm.sh/helm/v4/pkg/chart/v2/util"
)

func deploy4(tree chartTree, given map[string]any) (deployed, error) {
	number := 0
	c, err := chart4(tree, &number)
	if err != nil {
		return deployed{}, err
	}
	if err := v2util.ProcessDependencies(c, given); err != nil {
		return deployed{}, err
	}
	values, err := util.CoalesceValues(c, given)
	return deployed{values, placed4(c, nil)}, err
}

// A copy under an alias keeps all of the metadata but the name: the number is in a field that no rule reads.
func chart4(tree chartTree, number *int) (*v2.Chart, error) {
	c := &v2.Chart{Metadata: &v2.Metadata{Name: tree.Name, Version: tree.Version, Home: strconv.Itoa(*number)}, Values: tree.Values}
	*number++
	if err := json.Unmarshal(tree.Dependencies, &c.Metadata.Dependencies); err != nil {
		return nil, err
	}
	for _, each := range tree.Charts {
		subchart, err := chart4(each, number)
		if err != nil {
			return nil, err
		}
		c.AddDependency(subchart)
	}
	return c, nil
}

func placed4(c *v2.Chart, path []string) []placedChart {
	all := []placedChart{{append([]string{}, path...), c.Metadata.Home}}
	for _, each := range c.Dependencies() {
		all = append(all, placed4(each, append(path, each.Name()))...)
	}
	return all
}
