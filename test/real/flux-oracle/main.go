// The Flux oracle: helm-controller's own values code over a line protocol. One JSON request a line on stdin
// (a HelmRelease's references and inline values, ConfigMaps and Secrets, a chart's defaults), one JSON answer
// a line on stdout: the values Flux hands to Helm and what Helm computes from them, or the error.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/fluxcd/pkg/apis/meta"
	"github.com/fluxcd/pkg/chartutil"
	"github.com/go-logr/logr"
	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/common/util"
	chart "helm.sh/helm/v4/pkg/chart/v2"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	kubeclient "sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"
)

type request struct {
	Namespace  string                 `json:"namespace"`
	References []meta.ValuesReference `json:"references"`
	Inline     map[string]any         `json:"inline"`
	ConfigMaps []corev1.ConfigMap     `json:"configMaps"`
	Secrets    []corev1.Secret        `json:"secrets"`
	// Defaults is the text of a chart's values.yaml.
	Defaults string `json:"defaults"`
}

type answer struct {
	Values   map[string]any `json:"values"`
	Computed map[string]any `json:"computed"`
	Error    string         `json:"error,omitempty"`
}

func main() {
	log.SetOutput(io.Discard) // Helm's warnings
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 1 {
			encoded, failed := json.Marshal(ask(line))
			if failed != nil {
				encoded, _ = json.Marshal(answer{Error: failed.Error()})
			}
			out.Write(encoded)
			out.WriteByte('\n')
			out.Flush()
		}
		if err == io.EOF {
			return
		}
	}
}

func ask(line []byte) answer {
	var r request
	if err := json.Unmarshal(line, &r); err != nil {
		return answer{Error: fmt.Sprintf("request: %v", err)}
	}
	values, err := chartutil.ChartValuesFromReferences(
		context.Background(), logr.Discard(), cluster{objects: objects(r)}, r.Namespace, r.Inline, r.References...)
	if err != nil {
		return answer{Error: err.Error()}
	}
	// Helm reads what Flux hands over, and changes it while it coalesces.
	handed, err := json.Marshal(values)
	if err != nil {
		return answer{Error: err.Error()}
	}
	var seen map[string]any
	if err := json.Unmarshal(handed, &seen); err != nil {
		return answer{Error: err.Error()}
	}
	computed, err := compute(r.Defaults, values)
	if err != nil {
		return answer{Error: fmt.Sprintf("helm: %v", err)}
	}
	return answer{Values: seen, Computed: computed}
}

func compute(defaults string, values common.Values) (map[string]any, error) {
	c := &chart.Chart{Metadata: &chart.Metadata{Name: "c", Version: "1.0.0", APIVersion: "v2"}}
	if err := yaml.Unmarshal([]byte(defaults), &c.Values); err != nil {
		return nil, err
	}
	return util.CoalesceValues(c, values)
}

// cluster serves the objects of one request; whatever else a client can do is not asked for.
type cluster struct {
	kubeclient.Client
	objects map[string]kubeclient.Object
}

func (c cluster) Get(_ context.Context, key kubeclient.ObjectKey, into kubeclient.Object, _ ...kubeclient.GetOption) error {
	switch into := into.(type) {
	case *corev1.ConfigMap:
		if found, ok := c.objects["ConfigMap/"+key.String()].(*corev1.ConfigMap); ok {
			*into = *found
			return nil
		}
	case *corev1.Secret:
		if found, ok := c.objects["Secret/"+key.String()].(*corev1.Secret); ok {
			*into = *found
			return nil
		}
	}
	return apierrors.NewNotFound(schema.GroupResource{Resource: "objects"}, key.Name)
}

// objects are what the API server would serve: stringData is folded into data on write.
func objects(r request) map[string]kubeclient.Object {
	all := map[string]kubeclient.Object{}
	for i := range r.ConfigMaps {
		object := &r.ConfigMaps[i]
		all["ConfigMap/"+object.Namespace+"/"+object.Name] = object
	}
	for i := range r.Secrets {
		object := &r.Secrets[i]
		for key, text := range object.StringData {
			if object.Data == nil {
				object.Data = map[string][]byte{}
			}
			object.Data[key] = []byte(text)
		}
		all["Secret/"+object.Namespace+"/"+object.Name] = object
	}
	return all
}
