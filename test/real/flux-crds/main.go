// Checks manifests as an API server with Flux' CRDs would: the CRDs' schemas (types, enums, patterns, what is
// required) and, strictly, that no field is unknown. Rules in CEL are not run.
// usage: flux-crds CRD... <manifests. Every document must have a CRD. Faults are lines on stdout.
package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"log"
	"os"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

func main() {
	schemas := map[string]*apiextensions.JSONSchemaProps{}
	for _, path := range os.Args[1:] {
		must(read(path, schemas))
	}
	documents := utilyaml.NewYAMLReader(bufio.NewReader(os.Stdin))
	for {
		text, err := documents.Read()
		if errors.Is(err, io.EOF) {
			return
		}
		must(err)
		if len(bytes.TrimSpace(text)) > 0 {
			must(check(text, schemas))
		}
	}
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// read adds the schemas of a CRD, by apiVersion and kind.
func read(path string, schemas map[string]*apiextensions.JSONSchemaProps) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var crd v1.CustomResourceDefinition
	if err := yaml.Unmarshal(text, &crd); err != nil {
		return err
	}
	for _, version := range crd.Spec.Versions {
		props := &apiextensions.JSONSchemaProps{}
		if err := v1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(version.Schema.OpenAPIV3Schema, props, nil); err != nil {
			return err
		}
		schemas[crd.Spec.Group+"/"+version.Name+" "+crd.Spec.Names.Kind] = props
	}
	return nil
}

func check(text []byte, schemas map[string]*apiextensions.JSONSchemaProps) error {
	object := map[string]any{}
	if err := yaml.UnmarshalStrict(text, &object); err != nil {
		return err
	}
	kind := fmt.Sprintf("%v %v", object["apiVersion"], object["kind"])
	props, ok := schemas[kind]
	if !ok {
		fmt.Printf("%s: no CRD\n", kind)
		return nil
	}
	validator, _, err := validation.NewSchemaValidator(props)
	if err != nil {
		return err
	}
	for _, fault := range validation.ValidateCustomResource(nil, object, validator) {
		fmt.Printf("%s: %s\n", kind, fault)
	}
	shape, err := structural.NewStructural(props)
	if err != nil {
		return err
	}
	unknown := structural.UnknownFieldPathOptions{TrackUnknownFieldPaths: true}
	for _, path := range pruning.PruneWithOptions(object, shape, true, unknown) {
		fmt.Printf("%s: unknown field %s\n", kind, path)
	}
	return nil
}
