package controller

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/fluxcd/pkg/apis/meta"
	sourcev1 "github.com/fluxcd/source-controller/api/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"valuefold.dev/controller/api/v1alpha1"
)

// sourceObject is any kind of source.
type sourceObject interface {
	client.Object
	sourcev1.Source
}

// newSource gives an empty source of each kind.
var newSource = map[string]func() sourceObject{
	sourcev1.GitRepositoryKind:    func() sourceObject { return &sourcev1.GitRepository{} },
	sourcev1.OCIRepositoryKind:    func() sourceObject { return &sourcev1.OCIRepository{} },
	sourcev1.BucketKind:           func() sourceObject { return &sourcev1.Bucket{} },
	sourcev1.ExternalArtifactKind: func() sourceObject { return &sourcev1.ExternalArtifact{} },
}

func (r *Reconciler) sourceOf(ctx context.Context, o *v1alpha1.FoldedArtifact) (*meta.Artifact, error) {
	reference := o.Spec.SourceRef
	name := fmt.Sprintf("%s %s/%s", reference.Kind, o.SourceNamespace(), reference.Name)
	create := newSource[reference.Kind]
	if create == nil {
		return nil, fmt.Errorf("%s: no such kind of source", name)
	}
	found := create()
	err := r.Get(ctx, client.ObjectKey{Namespace: o.SourceNamespace(), Name: reference.Name}, found)
	if apierrors.IsNotFound(err) {
		return nil, fmt.Errorf("%s does not exist", name)
	}
	if err != nil {
		return nil, err
	}
	if found.GetArtifact() == nil {
		return nil, fmt.Errorf("%s has no artifact yet", name)
	}
	return found.GetArtifact(), nil
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
	sum := sha256.New()
	for _, part := range parts {
		fmt.Fprintf(sum, "%d:%s", len(part), part)
	}
	return hex.EncodeToString(sum.Sum(nil))
}
