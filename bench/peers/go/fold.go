package main

import (
	"fmt"
	"sort"

	"dario.cat/mergo"
	kyaml "sigs.k8s.io/kustomize/kyaml/yaml"
	"sigs.k8s.io/yaml"
)

// layer is one values document, and where it stands in its target's order.
type layer struct {
	name     id
	key      string
	priority int
}

type id struct{ namespace, name string }

type configMaps map[id]map[string]string

// fold puts a folded ConfigMap before each target that has layers.
func fold(items []*kyaml.RNode) ([]*kyaml.RNode, error) {
	found := configMaps{}
	for _, item := range items {
		if item.GetKind() == "ConfigMap" {
			found[id{item.GetNamespace(), item.GetName()}] = item.GetDataMap()
		}
	}
	output := make([]*kyaml.RNode, 0, len(items))
	for _, item := range items {
		folded, err := foldTarget(item, found)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", item.GetKind(), item.GetName(), err)
		}
		if folded != nil {
			output = append(output, folded)
		}
		output = append(output, item)
	}
	return output, nil
}

func foldTarget(item *kyaml.RNode, found configMaps) (*kyaml.RNode, error) {
	switch item.GetKind() {
	case "App":
		layers, err := layersOfApp(item)
		if err != nil || len(layers) < 2 {
			return nil, err
		}
		return merged(item, layers, found, pointApp)
	case "HelmRelease":
		layers, err := layersOfHelmRelease(item)
		if err != nil || len(layers) < 2 {
			return nil, err
		}
		return merged(item, layers, found, pointHelmRelease)
	}
	return nil, nil
}

func merged(item *kyaml.RNode, layers []layer, found configMaps, point func(*kyaml.RNode, id) error) (*kyaml.RNode, error) {
	sort.SliceStable(layers, func(i, j int) bool { return layers[i].priority < layers[j].priority })
	values := map[string]any{}
	for _, each := range layers {
		text, ok := found[each.name][each.key]
		if !ok {
			return nil, fmt.Errorf("no layer %s/%s", each.name.namespace, each.name.name)
		}
		over := map[string]any{}
		if err := yaml.Unmarshal([]byte(text), &over); err != nil {
			return nil, err
		}
		if err := mergo.Merge(&values, over, mergo.WithOverride); err != nil {
			return nil, err
		}
	}
	text, err := yaml.Marshal(values)
	if err != nil {
		return nil, err
	}
	name := id{item.GetNamespace(), item.GetName() + "-folded"}
	folded := kyaml.NewMapRNode(nil)
	folded.SetApiVersion("v1")
	folded.SetKind("ConfigMap")
	if err := folded.SetName(name.name); err != nil {
		return nil, err
	}
	if err := folded.SetNamespace(name.namespace); err != nil {
		return nil, err
	}
	folded.SetDataMap(map[string]string{layers[0].key: string(text)})
	return folded, point(item, name)
}
