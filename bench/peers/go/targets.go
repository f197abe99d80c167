package main

import kyaml "sigs.k8s.io/kustomize/kyaml/yaml"

// The order of an App's slots; entries of extraConfigs say theirs themselves.
const (
	configPriority     = 50
	userConfigPriority = 100
)

type reference struct {
	Kind      string `yaml:"kind"`
	Name      string `yaml:"name"`
	Namespace string `yaml:"namespace"`
	Priority  int    `yaml:"priority"`
	ValuesKey string `yaml:"valuesKey"`
}

type slot struct {
	ConfigMap reference `yaml:"configMap"`
}

type app struct {
	Spec struct {
		Config       slot        `yaml:"config"`
		ExtraConfigs []reference `yaml:"extraConfigs"`
		UserConfig   slot        `yaml:"userConfig"`
	} `yaml:"spec"`
}

type helmRelease struct {
	Spec struct {
		ValuesFrom []reference `yaml:"valuesFrom"`
	} `yaml:"spec"`
}

func layersOfApp(item *kyaml.RNode) ([]layer, error) {
	var read app
	if err := item.YNode().Decode(&read); err != nil {
		return nil, err
	}
	var layers []layer
	add := func(to reference, priority int) {
		if to.Name != "" {
			layers = append(layers, layer{name: id{to.Namespace, to.Name}, key: "values", priority: priority})
		}
	}
	for _, extra := range read.Spec.ExtraConfigs {
		add(extra, extra.Priority)
	}
	add(read.Spec.Config.ConfigMap, configPriority)
	add(read.Spec.UserConfig.ConfigMap, userConfigPriority)
	return layers, nil
}

func layersOfHelmRelease(item *kyaml.RNode) ([]layer, error) {
	var read helmRelease
	if err := item.YNode().Decode(&read); err != nil {
		return nil, err
	}
	var layers []layer
	for _, entry := range read.Spec.ValuesFrom {
		key := entry.ValuesKey
		if key == "" {
			key = "values.yaml"
		}
		layers = append(layers, layer{name: id{item.GetNamespace(), entry.Name}, key: key})
	}
	return layers, nil
}

// pointApp leaves the folded ConfigMap as the App's only layer.
func pointApp(item *kyaml.RNode, folded id) error {
	spec, err := item.Pipe(kyaml.Lookup("spec"))
	if err != nil {
		return err
	}
	return spec.PipeE(
		kyaml.Tee(kyaml.Clear("config")),
		kyaml.Tee(kyaml.SetField("extraConfigs", kyaml.NewListRNode())),
		kyaml.Tee(kyaml.LookupCreate(kyaml.MappingNode, "userConfig", "configMap"),
			kyaml.Tee(kyaml.SetField("name", kyaml.NewStringRNode(folded.name))),
			kyaml.Tee(kyaml.SetField("namespace", kyaml.NewStringRNode(folded.namespace)))),
	)
}

func pointHelmRelease(item *kyaml.RNode, folded id) error {
	entry := kyaml.NewMapRNode(&map[string]string{"kind": "ConfigMap", "name": folded.name})
	return item.PipeE(
		kyaml.Lookup("spec"),
		kyaml.SetField("valuesFrom", kyaml.NewRNode(&kyaml.Node{
			Kind: kyaml.SequenceNode, Content: []*kyaml.Node{entry.YNode()},
		})),
	)
}
