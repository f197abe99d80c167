package main

import (
	"fmt"
	"path"
	"slices"

	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	helm "helm.sh/helm/v3/pkg/engine"
	release "helm.sh/helm/v3/pkg/releaseutil"
	"sigs.k8s.io/yaml"
	"valuefold.dev/engine/refused/cluster"
	"valuefold.dev/engine/refused/schemas"
)

type loaded3 struct {
	chart *chart.Chart
	origins
	// As Helm made it for the first render.
	deployed *chart.Chart
}

func load3(files []chartFile) (loadedChart, error) {
	all, from := []*loader.BufferedFile{}, origins{}
	for _, each := range files {
		all = append(all, &loader.BufferedFile{Name: each.name, Data: each.content})
		from.add(each.name, each.content)
	}
	c, err := loader.LoadFiles(all)
	if err != nil {
		return nil, err
	}
	wanted, found := []string{}, []string{}
	for _, each := range c.Metadata.Dependencies {
		wanted = append(wanted, each.Name)
	}
	for _, each := range c.Dependencies() {
		found = append(found, each.Name())
	}
	return &loaded3{chart: c, origins: from}, checkDependencies(c.Metadata.Type, wanted, found)
}

func userValues3(text []byte) (map[string]any, error) {
	values := map[string]any{}
	return values, yaml.Unmarshal(text, &values)
}

func (l *loaded3) render(r rendering) (outcome, error) {
	c, top, err := l.prepare(r)
	if err != nil {
		return outcome{}, err
	}
	found := outcome{templates: map[string]chartTemplate{}, conditions: map[string]bool{}}
	if !r.isTrial {
		l.deployed = c
		// A copy: templates may set values.
		found.values = copiedMap(top["Values"].(chartutil.Values))
		l.list(c, nil, found)
		found.isImported = conditions3(l.chart, nil, found)
		for _, each := range c.CRDObjects() {
			found.crds = append(found.crds, printed{each.Filename, string(each.File.Data), l.of(each.File.Data)})
		}
	}
	found.texts, err = helm.Engine{Trees: r.trees, Parsed: r.parsed, Renders: r.renders, Suffix: r.suffix}.Render(c, top)
	return found, err
}

// prepare gives the charts that are deployed, and what their templates get.
func (l *loaded3) prepare(r rendering) (*chart.Chart, chartutil.Values, error) {
	capabilities := chartutil.DefaultCapabilities.Copy()
	if r.kubeVersion != "" {
		version, err := chartutil.ParseKubeVersion(r.kubeVersion)
		if err != nil {
			return nil, nil, fmt.Errorf("invalid kube version '%s': %w", r.kubeVersion, err)
		}
		capabilities.KubeVersion = *version
	}
	cluster.Has(capabilities.APIVersions)
	capabilities.APIVersions = append(slices.Clone(capabilities.APIVersions), r.apiVersions...)
	options := chartutil.ReleaseOptions{Name: r.release, Namespace: r.namespace, Revision: 1, IsInstall: true}
	if r.values != nil {
		top, err := chartutil.ToRenderValuesWithSchemaValidation(&chart.Chart{Metadata: l.deployed.Metadata}, nil, options, capabilities, true)
		top["Values"] = chartutil.Values(r.values)
		return l.deployed, top, err
	}
	c, user := copied3(l.chart, r, true), copiedMap(r.user)
	if err := chartutil.ProcessDependenciesWithMerge(c, user); err != nil {
		return nil, nil, err
	}
	top, err := chartutil.ToRenderValuesWithSchemaValidation(c, user, options, capabilities, r.isTrial)
	again := func() error {
		_, err := chartutil.ToRenderValuesWithSchemaValidation(c, user, options, capabilities, false)
		return err
	}
	if schemas.Forgives(err, again) {
		top, err = chartutil.ToRenderValuesWithSchemaValidation(c, user, options, capabilities, true)
	}
	if err != nil {
		return nil, nil, err
	}
	if wanted := c.Metadata.KubeVersion; !r.isTrial && wanted != "" && !chartutil.IsCompatibleRange(wanted, capabilities.KubeVersion.String()) {
		err = fmt.Errorf("chart requires kubeVersion: %s which is incompatible with Kubernetes %s", wanted, capabilities.KubeVersion.String())
	}
	return c, top, err
}

// The same as in chart4.go, with the types of Helm 3.
func copied3(c *chart.Chart, r rendering, isTop bool) *chart.Chart {
	metadata := *c.Metadata
	// An empty list stays one: without any list Helm looks at nothing below.
	metadata.Dependencies = slices.Clone(c.Metadata.Dependencies)
	for i, each := range metadata.Dependencies {
		dependency := *each
		metadata.Dependencies[i] = &dependency
	}
	r.describe(isTop, &metadata.Name, &metadata.Version, &metadata.AppVersion)
	copy := &chart.Chart{Metadata: &metadata, Lock: c.Lock, Templates: c.Templates, Values: copiedMap(c.Values), Schema: c.Schema, Files: c.Files}
	for _, each := range c.Dependencies() {
		copy.AddDependency(copied3(each, r, false))
	}
	return copy
}

func (l *loaded3) list(c *chart.Chart, keys []string, found outcome) {
	for _, each := range c.Templates {
		found.templates[path.Join(c.ChartFullPath(), each.Name)] = chartTemplate{l.of(each.Data), keys}
	}
	for _, each := range c.Dependencies() {
		l.list(each, append(slices.Clone(keys), each.Name()), found)
	}
}

// Of all subcharts: Helm forgets those that are not deployed.
func conditions3(c *chart.Chart, keys []string, found outcome) (isImported bool) {
	for _, each := range c.Metadata.Dependencies {
		found.addConditions(keys, each.Condition)
		isImported = isImported || len(each.ImportValues) > 0
		name := each.Alias
		if name == "" {
			name = each.Name
		}
		for _, subchart := range c.Dependencies() {
			if subchart.Name() == each.Name {
				isImported = conditions3(subchart, append(slices.Clone(keys), name), found) || isImported
			}
		}
	}
	return isImported
}

func (l *loaded3) documents(texts map[string]string) ([]printed, error) {
	hooks, manifests, err := release.SortManifests(texts, nil, release.InstallOrder)
	all := []printed{}
	for _, each := range manifests {
		all = append(all, printed{template: each.Name, content: each.Content})
	}
	for _, each := range hooks {
		all = append(all, printed{template: each.Path, content: each.Manifest})
	}
	return all, err
}

func (l *loaded3) parts() []chartPart { return parts3(l.chart, nil, nil) }

func parts3(c *chart.Chart, keys []string, all []chartPart) []chartPart {
	part := chartPart{keys: keys, templates: map[string]string{}, values: c.Values, schema: c.Schema}
	for _, each := range c.Templates {
		part.templates[path.Join(append(slices.Clone(keys), each.Name)...)] = string(each.Data)
	}
	named := []subchart{}
	for _, each := range c.Metadata.Dependencies {
		isAbsent := !slices.ContainsFunc(c.Dependencies(), func(own *chart.Chart) bool { return own.Name() == each.Name })
		named = append(named, subchart{each.Name, each.Alias, each.Condition, len(each.Tags) > 0, len(each.ImportValues) > 0, isAbsent})
	}
	known := part.add(named)
	all = append(all, part)
	for _, each := range c.Dependencies() {
		for _, key := range keysOf(known, each.Name()) {
			all = parts3(each, append(slices.Clone(keys), key), all)
		}
	}
	return all
}
