// The App oracle: app-operator's own values code over a line protocol. One JSON request a line on stdin
// (an App, its Catalog, ConfigMaps and Secrets), one JSON answer a line on stdout (the merged values of
// each kind, or the error).
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/giantswarm/apiextensions-application/api/v1alpha1"
	"github.com/giantswarm/app/v7/pkg/values"
	"github.com/giantswarm/micrologger"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/fake"
)

type request struct {
	App        v1alpha1.App       `json:"app"`
	Catalog    v1alpha1.Catalog   `json:"catalog"`
	ConfigMaps []corev1.ConfigMap `json:"configMaps"`
	Secrets    []corev1.Secret    `json:"secrets"`
}

type answer struct {
	ConfigMap map[string]interface{} `json:"configMap"`
	Secret    map[string]interface{} `json:"secret"`
	Error     string                 `json:"error,omitempty"`
}

func main() {
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
	logger, err := micrologger.New(micrologger.Config{IOWriter: io.Discard})
	if err != nil {
		return answer{Error: err.Error()}
	}
	v, err := values.New(values.Config{K8sClient: fake.NewSimpleClientset(objects(r)...), Logger: logger})
	if err != nil {
		return answer{Error: err.Error()}
	}
	configMap, err := v.MergeConfigMapData(context.Background(), r.App, r.Catalog)
	if err != nil {
		return answer{Error: fmt.Sprintf("configMap: %v", err)}
	}
	secret, err := v.MergeSecretData(context.Background(), r.App, r.Catalog)
	if err != nil {
		return answer{Error: fmt.Sprintf("secret: %v", err)}
	}
	return answer{ConfigMap: configMap, Secret: secret}
}

// objects are what the API server would serve: stringData is folded into data on write.
func objects(r request) []runtime.Object {
	var all []runtime.Object
	for i := range r.ConfigMaps {
		all = append(all, &r.ConfigMaps[i])
	}
	for i := range r.Secrets {
		s := &r.Secrets[i]
		for key, text := range s.StringData {
			if s.Data == nil {
				s.Data = map[string][]byte{}
			}
			s.Data[key] = []byte(text)
		}
		s.StringData = nil
		all = append(all, s)
	}
	return all
}
