package controller

import (
	"context"
	"maps"

	"github.com/fluxcd/pkg/apis/meta"
	"github.com/fluxcd/pkg/runtime/conditions"
	sourcev1 "github.com/fluxcd/source-controller/api/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"valuefold.dev/controller/api/v1alpha1"
)

// announce writes the ExternalArtifact, unless it says already what is stored. It writes the fields that are ours alone.
func (r *Reconciler) announce(ctx context.Context, o *v1alpha1.FoldedArtifact) error {
	found := newSource(sourcev1.ExternalArtifactKind)
	err := r.Get(ctx, client.ObjectKeyFromObject(o), found)
	if client.IgnoreNotFound(err) != nil {
		return err
	}
	isNew := err != nil
	if !isNew && !isOwned(found, o) {
		return stalledBy(reasonOwnerConflict, "an ExternalArtifact %s/%s exists already, and belongs to another owner",
			o.Namespace, o.Name)
	}
	said := &sourcev1.ExternalArtifact{}
	if isNew || runtime.DefaultUnstructuredConverter.FromUnstructured(found.Object, said) != nil {
		// It is not there, or says what it must not.
		said = &sourcev1.ExternalArtifact{ObjectMeta: metav1.ObjectMeta{
			Name: o.Name, Namespace: o.Namespace, ResourceVersion: found.GetResourceVersion(),
		}}
	}
	before := said.DeepCopy()
	r.specify(said, o)
	switch {
	case isNew:
		err = r.Create(ctx, said, client.FieldOwner(r.Name))
	case !equality.Semantic.DeepEqual(before, said):
		err = r.Patch(ctx, said, changeOf(before), client.FieldOwner(r.Name))
	}
	if err != nil {
		return err
	}
	before = said.DeepCopy()
	sayStored(said, r.Store.Stored(o, o.Status.Artifact))
	if equality.Semantic.DeepEqual(before.Status, said.Status) {
		return nil
	}
	return r.Status().Patch(ctx, said, changeOf(before), client.FieldOwner(r.Name))
}

// changeOf an object is refused if it was read from an old cache.
func changeOf(before client.Object) client.Patch {
	return client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{})
}

func (r *Reconciler) specify(said *sourcev1.ExternalArtifact, o *v1alpha1.FoldedArtifact) {
	version := v1alpha1.GroupVersion.String()
	if said.UID == "" {
		said.Labels = map[string]string{"app.kubernetes.io/managed-by": r.Name}
		said.OwnerReferences = []metav1.OwnerReference{
			{APIVersion: version, Kind: v1alpha1.Kind, Name: o.Name, UID: o.UID, Controller: new(true)},
		}
	}
	said.Spec.SourceRef = &meta.NamespacedObjectKindReference{
		APIVersion: version, Kind: v1alpha1.Kind, Name: o.Name, Namespace: o.Namespace,
	}
}

// sayStored keeps the times of what has not changed: there is nothing new for those who watch.
func sayStored(said *sourcev1.ExternalArtifact, artifact meta.Artifact) {
	artifact.LastUpdateTime = metav1.Now().Rfc3339Copy()
	if before := said.Status.Artifact; before != nil {
		if before.Digest == artifact.Digest && before.URL == artifact.URL {
			artifact.LastUpdateTime = before.LastUpdateTime
		}
		metadata := map[string]string{}
		maps.Copy(metadata, before.Metadata)
		maps.Copy(metadata, artifact.Metadata)
		artifact.Metadata = metadata
	}
	said.Status.Artifact = &artifact
	conditions.MarkTrue(said, meta.ReadyCondition, meta.SucceededReason, "the artifact is ready")
}

func isOwned(existing client.Object, o *v1alpha1.FoldedArtifact) bool {
	owner := metav1.GetControllerOf(existing)
	return owner != nil && owner.UID == o.UID
}

// finalize removes the files and the ExternalArtifact. What was applied from it stays, as its Kustomization does.
func (r *Reconciler) finalize(ctx context.Context, o *v1alpha1.FoldedArtifact) error {
	if !controllerutil.ContainsFinalizer(o, v1alpha1.Finalizer) {
		return nil
	}
	if err := r.Store.RemoveAll(o); err != nil {
		return err
	}
	existing := newSource(sourcev1.ExternalArtifactKind)
	err := r.Get(ctx, client.ObjectKeyFromObject(o), existing)
	if err == nil && isOwned(existing, o) {
		uid := existing.GetUID()
		err = r.Delete(ctx, existing, client.Preconditions{UID: &uid})
	}
	if client.IgnoreNotFound(err) != nil {
		return err
	}
	r.outcomes.Delete(client.ObjectKeyFromObject(o))
	r.attempts.spared.Delete(client.ObjectKeyFromObject(o))
	before := o.DeepCopy()
	controllerutil.RemoveFinalizer(o, v1alpha1.Finalizer)
	return client.IgnoreNotFound(r.Patch(ctx, o, changeOf(before)))
}
