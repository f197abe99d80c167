package controller

import (
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/fluxcd/pkg/apis/meta"
	sourcev1 "github.com/fluxcd/source-controller/api/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"valuefold.dev/controller/api/v1alpha1"
)

// sourceKinds are the kinds of sources.
var sourceKinds = []string{
	sourcev1.GitRepositoryKind, sourcev1.OCIRepositoryKind, sourcev1.BucketKind, sourcev1.ExternalArtifactKind,
}

// newSource gives an empty source. Its fields have no types: one that a tenant wrote and Go cannot read would keep all
// sources of the cluster from being read.
func newSource(kind string) *unstructured.Unstructured {
	source := &unstructured.Unstructured{}
	source.SetGroupVersionKind(sourcev1.GroupVersion.WithKind(kind))
	return source
}

// artifactIn is nil if there is none.
func artifactIn(source client.Object) (*meta.Artifact, error) {
	content, isThere, err := unstructured.NestedMap(source.(*unstructured.Unstructured).Object, "status", "artifact")
	if err != nil || !isThere {
		return nil, err
	}
	artifact := &meta.Artifact{}
	return artifact, runtime.DefaultUnstructuredConverter.FromUnstructured(content, artifact)
}

func (r *Reconciler) sourceOf(ctx context.Context, o *v1alpha1.FoldedArtifact) (*meta.Artifact, error) {
	reference := o.Spec.SourceRef
	if !slices.Contains(sourceKinds, reference.Kind) {
		return nil, fmt.Errorf("%s: no such kind of source", nameOf(o))
	}
	found := newSource(reference.Kind)
	err := r.Get(ctx, client.ObjectKey{Namespace: o.SourceNamespace(), Name: reference.Name}, found)
	if apierrors.IsNotFound(err) {
		return nil, fmt.Errorf("%s does not exist", nameOf(o))
	}
	if err != nil {
		return nil, err
	}
	artifact, err := artifactIn(found)
	switch {
	case err != nil:
		return nil, fmt.Errorf("the artifact of %s cannot be read: %w", nameOf(o), err)
	case artifact == nil:
		return nil, fmt.Errorf("%s has no artifact yet", nameOf(o))
	}
	return artifact, nil
}

// nameOf the source.
func nameOf(o *v1alpha1.FoldedArtifact) string {
	return fmt.Sprintf("%s %s/%s", o.Spec.SourceRef.Kind, o.SourceNamespace(), o.Spec.SourceRef.Name)
}

// keys are what SOPS gets, and a text that changes with them.
type keys struct {
	env     []string
	version string
}

const keySuffix = ".agekey"

// keysOf reads the one Secret that the object names, of its own namespace, and keeps it in no cache.
func (r *Reconciler) keysOf(ctx context.Context, o *v1alpha1.FoldedArtifact) (keys, error) {
	if o.Spec.Decryption == nil {
		return keys{}, nil
	}
	secret := &corev1.Secret{}
	name := o.Spec.Decryption.SecretRef.Name
	err := r.Get(ctx, client.ObjectKey{Namespace: o.Namespace, Name: name}, secret)
	switch {
	case apierrors.IsForbidden(err):
		return keys{}, fmt.Errorf("the Secret %s/%s may not be read: a Role must grant `get` on it to %s",
			o.Namespace, name, r.Name)
	case apierrors.IsNotFound(err):
		return keys{}, fmt.Errorf("the Secret %s/%s does not exist", o.Namespace, name)
	case err != nil:
		return keys{}, err
	}
	var age []string
	for _, each := range slices.Sorted(maps.Keys(secret.Data)) {
		if strings.HasSuffix(each, keySuffix) {
			age = append(age, strings.TrimSpace(string(secret.Data[each])))
		}
	}
	if len(age) == 0 {
		return keys{}, fmt.Errorf("the Secret %s/%s has no key that ends in %s", o.Namespace, name, keySuffix)
	}
	return keys{
		env:     []string{"SOPS_AGE_KEY=" + strings.Join(age, "\n")},
		version: string(secret.UID) + secret.ResourceVersion,
	}, nil
}

// digestOf tells apart lists of texts.
func digestOf(parts ...string) string {
	return fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "%q", parts)))
}
