package main

import (
	"bytes"
	"fmt"
	"path"
	"slices"

	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/common/util"
	"helm.sh/helm/v4/pkg/chart/loader/archive"
	v2 "helm.sh/helm/v4/pkg/chart/v2"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	v2util "helm.sh/helm/v4/pkg/chart/v2/util"
	helm "helm.sh/helm/v4/pkg/engine"
	release "helm.sh/helm/v4/pkg/release/v1/util"
	"valuefold.dev/engine/refused/cluster"
	"valuefold.dev/engine/refused/schemas"
)

type loaded4 struct {
	chart *v2.Chart
	origins
	// As Helm made it for the first render.
	deployed *v2.Chart
}

func load4(files []chartFile) (loadedChart, error) {
	all, from := []*archive.BufferedFile{}, origins{}
	for _, each := range files {
		all = append(all, &archive.BufferedFile{Name: each.name, Data: each.content})
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
	return &loaded4{chart: c, origins: from}, checkDependencies(c.Metadata.Type, wanted, found)
}

func userValues4(text []byte) (map[string]any, error) {
	return loader.LoadValues(bytes.NewReader(text))
}

func (l *loaded4) render(r rendering) (outcome, error) {
	c, top, err := l.prepare(r)
	if err != nil {
		return outcome{}, err
	}
	found := outcome{templates: map[string]chartTemplate{}, conditions: map[string]bool{}}
	if !r.isTrial {
		l.deployed = c
		// A copy: templates may set values.
		found.values = copiedMap(top["Values"].(common.Values))
		l.list(c, nil, found)
		found.isImported = conditions4(l.chart, nil, found)
		for _, each := range c.CRDObjects() {
			found.crds = append(found.crds, printed{each.Filename, string(each.File.Data), l.of(each.File.Data)})
		}
	}
	found.texts, err = helm.Engine{Trees: r.trees, Parsed: r.parsed, Renders: r.renders, Suffix: r.suffix}.Render(c, top)
	return found, err
}

// prepare gives the charts that are deployed, and what their templates get.
func (l *loaded4) prepare(r rendering) (*v2.Chart, common.Values, error) {
	capabilities := common.DefaultCapabilities.Copy()
	if r.kubeVersion != "" {
		version, err := common.ParseKubeVersion(r.kubeVersion)
		if err != nil {
			return nil, nil, fmt.Errorf("invalid kube version '%s': %w", r.kubeVersion, err)
		}
		capabilities.KubeVersion = *version
	}
	cluster.Has(capabilities.APIVersions)
	capabilities.APIVersions = append(slices.Clone(capabilities.APIVersions), r.apiVersions...)
	options := common.ReleaseOptions{Name: r.release, Namespace: r.namespace, Revision: 1, IsInstall: true}
	if r.values != nil {
		top, err := util.ToRenderValuesWithSchemaValidation(&v2.Chart{Metadata: l.deployed.Metadata}, nil, options, capabilities, true)
		top["Values"] = common.Values(r.values)
		return l.deployed, top, err
	}
	c, user := copied4(l.chart, r, true), copiedMap(r.user)
	if err := v2util.ProcessDependencies(c, user); err != nil {
		return nil, nil, fmt.Errorf("chart dependencies processing failed: %w", err)
	}
	top, err := util.ToRenderValuesWithSchemaValidation(c, user, options, capabilities, r.isTrial)
	again := func() error {
		_, err := util.ToRenderValuesWithSchemaValidation(c, user, options, capabilities, false)
		return err
	}
	if schemas.Forgives(err, again) {
		top, err = util.ToRenderValuesWithSchemaValidation(c, user, options, capabilities, true)
	}
	if err != nil {
		return nil, nil, err
	}
	if wanted := c.Metadata.KubeVersion; !r.isTrial && wanted != "" && !v2util.IsCompatibleRange(wanted, capabilities.KubeVersion.String()) {
		err = fmt.Errorf("chart requires kubeVersion: %s which is incompatible with Kubernetes %s", wanted, capabilities.KubeVersion.Version)
	}
	return c, top, err
}

// Shared is what no rule of Helm changes.
func copied4(c *v2.Chart, r rendering, isTop bool) *v2.Chart {
	metadata := *c.Metadata
	// An empty list stays one: without any list Helm looks at nothing below.
	metadata.Dependencies = slices.Clone(c.Metadata.Dependencies)
	for i, each := range metadata.Dependencies {
		dependency := *each
		metadata.Dependencies[i] = &dependency
	}
	r.describe(isTop, &metadata.Name, &metadata.Version, &metadata.AppVersion)
	copy := &v2.Chart{Metadata: &metadata, Lock: c.Lock, Templates: c.Templates, Values: copiedMap(c.Values), Schema: c.Schema, Files: c.Files}
	for _, each := range c.Dependencies() {
		copy.AddDependency(copied4(each, r, false))
	}
	return copy
}

func (l *loaded4) list(c *v2.Chart, keys []string, found outcome) {
	for _, each := range c.Templates {
		found.templates[path.Join(c.ChartFullPath(), each.Name)] = chartTemplate{l.of(each.Data), keys}
	}
	for _, each := range c.Dependencies() {
		l.list(each, append(slices.Clone(keys), each.Name()), found)
	}
}

// Of all subcharts: Helm forgets those that are not deployed.
func conditions4(c *v2.Chart, keys []string, found outcome) (isImported bool) {
	for _, each := range c.Metadata.Dependencies {
		found.addConditions(keys, each.Condition)
		isImported = isImported || len(each.ImportValues) > 0
		name := each.Alias
		if name == "" {
			name = each.Name
		}
		for _, subchart := range c.Dependencies() {
			if subchart.Name() == each.Name {
				isImported = conditions4(subchart, append(slices.Clone(keys), name), found) || isImported
			}
		}
	}
	return isImported
}

func (l *loaded4) documents(texts map[string]string) ([]printed, error) {
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

func (l *loaded4) parts() []chartPart { return parts4(l.chart, nil, nil) }

func parts4(c *v2.Chart, keys []string, all []chartPart) []chartPart {
	part := chartPart{keys: keys, templates: map[string]string{}, values: c.Values, schema: c.Schema}
	for _, each := range c.Templates {
		part.templates[path.Join(append(slices.Clone(keys), each.Name)...)] = string(each.Data)
	}
	named := []subchart{}
	for _, each := range c.Metadata.Dependencies {
		isAbsent := !slices.ContainsFunc(c.Dependencies(), func(own *v2.Chart) bool { return own.Name() == each.Name })
		named = append(named, subchart{each.Name, each.Alias, each.Condition, len(each.Tags) > 0, len(each.ImportValues) > 0, isAbsent})
	}
	known := part.add(named)
	all = append(all, part)
	for _, each := range c.Dependencies() {
		for _, key := range keysOf(known, each.Name()) {
			all = parts4(each, append(slices.Clone(keys), key), all)
		}
	}
	return all
}
