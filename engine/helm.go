package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"io/fs"
	"strings"

	"helm.sh/helm/v4/pkg/chart/loader/archive"
	"helm.sh/helm/v4/pkg/ignore"
)

// A chart as it was read. Its values are marks: what is deployed is known by them.
type chartTree struct {
	Name         string
	Version      string
	Dependencies json.RawMessage
	Values       map[string]any
	Charts       []chartTree
}

// What is deployed with some values: the values of all charts, and where each chart's own are, parents first.
type deployed struct {
	Values map[string]any `json:"values"`
	Charts []placedChart  `json:"charts"`
}

type placedChart struct {
	// The keys down to its values.
	Path []string `json:"path"`
	// Its number in the tree that was given, parents first.
	Chart string `json:"chart"`
}

// chartValues gives the values of a chart below given ones, and which of its subcharts there are.
func chartValues(r *request, a *answer) error {
	var asked struct{ Helm int }
	if err := r.arguments(&asked); err != nil {
		return err
	}
	var given struct {
		Chart chartTree
		Given map[string]any
	}
	if err := json.Unmarshal(r.body, &given); err != nil {
		return err
	}
	deploy := deploy4
	if asked.Helm == 3 {
		deploy = deploy3
	}
	found, err := deploy(given.Chart, given.Given)
	if err != nil {
		return err
	}
	text, err := json.Marshal(found)
	a.add("", text)
	return err
}

// unpack gives the files of a chart's archive, as Helm reads them, and how many bytes the whole has.
func unpack(r *request, a *answer) error {
	var asked struct{ Most int64 }
	if err := r.arguments(&asked); err != nil {
		return err
	}
	files, bytes, err := unpacked(r.body, asked.Most)
	a.results["bytes"] = bytes
	for _, each := range files {
		a.add(each.Name, each.Data)
	}
	return err
}

// Helm bounds what is in files, and not how many there are: so the whole is measured before.
func unpacked(packed []byte, most int64) ([]*archive.BufferedFile, int64, error) {
	stream, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, 0, err
	}
	size, err := io.Copy(io.Discard, io.LimitReader(stream, most+1))
	if err != nil || size > most {
		return nil, size, err
	}
	files, err := archive.LoadArchiveFiles(bytes.NewReader(packed))
	return files, size, err
}

// A path in a chart. Rules ask for nothing else than whether it is a folder.
type listed struct {
	fs.FileInfo
	path string
}

func (l listed) IsDir() bool { return strings.HasSuffix(l.path, "/") }

// ignored gives those of the paths in a chart's folder that Helm passes over by its `.helmignore`. Those of folders end with a slash.
func ignored(r *request, a *answer) error {
	var given struct{ Paths []string }
	if err := r.arguments(&given); err != nil {
		return err
	}
	rules, err := ignore.Parse(bytes.NewReader(r.body))
	if err != nil {
		return err
	}
	rules.AddDefaults()
	found := []string{}
	for _, each := range given.Paths {
		if rules.Ignore(strings.TrimSuffix(each, "/"), listed{path: each}) {
			found = append(found, each)
		}
	}
	a.results["ignored"] = found
	return nil
}
