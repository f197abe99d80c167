package controller

import (
	"context"
	"errors"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/resourceversion"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"valuefold.dev/controller/api/v1alpha1"
)

// History ends the controller where the API server goes back to an earlier state, as after etcd was restored from a
// snapshot: watches then wait for versions that come much later, and see nothing. A new process begins them again.
type History struct {
	// Reader without a cache.
	Reader    client.Reader
	Namespace string
	Every     time.Duration
}

var errWentBack = errors.New("the API server has an earlier state than before: watches begin again")

// Start looks until the context ends.
func (h History) Start(ctx context.Context) error {
	last := ""
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(h.Every):
		}
		found := &metav1.PartialObjectMetadataList{}
		found.SetGroupVersionKind(v1alpha1.GroupVersion.WithKind(v1alpha1.Kind + "List"))
		if h.Reader.List(ctx, found, client.InNamespace(h.Namespace), client.Limit(1)) != nil {
			continue // it is away, and may be another one when it is back
		}
		if order, err := resourceversion.CompareResourceVersion(found.ResourceVersion, last); err == nil && order < 0 {
			return errWentBack
		}
		last = found.ResourceVersion
	}
}
