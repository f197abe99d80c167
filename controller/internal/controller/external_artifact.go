package controller

import (
	"context"
	"path/filepath"

	"github.com/fluxcd/pkg/apis/meta"
	"github.com/fluxcd/pkg/runtime/conditions"
	sourcev1 "github.com/fluxcd/source-controller/api/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"valuefold.dev/controller/api/v1alpha1"
	"valuefold.dev/controller/internal/store"
)

// announce writes the ExternalArtifact, unless it says already what is stored.
func (r *Reconciler) announce(ctx context.Context, o *v1alpha1.FoldedArtifact) error {
	found := newSource(sourcev1.ExternalArtifactKind)
	err := r.Get(ctx, client.ObjectKeyFromObject(o), found)
	if client.IgnoreNotFound(err) != nil {
		return err
	}
	if err == nil && !isOwned(found, o) {
		return ownerConflict(o)
	}
	existing := &sourcev1.ExternalArtifact{}
	if runtime.DefaultUnstructuredConverter.FromUnstructured(found.Object, existing) != nil {
		// It says what it must not.
		existing = &sourcev1.ExternalArtifact{}
	}
	wanted := wantedFor(o, r.Name)
	if !isSpecified(existing, o) {
		if err := r.Apply(ctx, client.ApplyConfigurationFromUnstructured(wanted), client.ForceOwnership, client.FieldOwner(r.Name)); err != nil {
			return err
		}
		existing.Generation = wanted.GetGeneration()
	}
	status := statusOf(existing, r.Store.Stored(o))
	if isSaid(existing, status) {
		return nil
	}
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(status)
	if err != nil {
		return err
	}
	wanted = wantedFor(o, r.Name)
	wanted.Object["status"] = content
	return r.Status().Apply(ctx, client.ApplyConfigurationFromUnstructured(wanted),
		client.ForceOwnership, client.FieldOwner(r.Name))
}

func isSpecified(existing *sourcev1.ExternalArtifact, o *v1alpha1.FoldedArtifact) bool {
	reference := existing.Spec.SourceRef
	return reference != nil && reference.Kind == v1alpha1.Kind && reference.APIVersion == v1alpha1.GroupVersion.String() &&
		reference.Name == o.Name && reference.Namespace == o.Namespace
}

// isSaid compares what is ours: what others add stays.
func isSaid(existing *sourcev1.ExternalArtifact, wanted *sourcev1.ExternalArtifactStatus) bool {
	said, ready := existing.Status.Artifact, conditions.Get(existing, meta.ReadyCondition)
	if said == nil || ready == nil || *ready != wanted.Conditions[0] {
		return false
	}
	said = said.DeepCopy()
	said.Metadata = map[string]string{store.RevisionKey: said.Metadata[store.RevisionKey]}
	return equality.Semantic.DeepEqual(said, wanted.Artifact)
}

// wantedFor has the fields that are ours, and no others.
func wantedFor(o *v1alpha1.FoldedArtifact, manager string) *unstructured.Unstructured {
	version := v1alpha1.GroupVersion.String()
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": sourcev1.GroupVersion.String(), "kind": sourcev1.ExternalArtifactKind,
		"metadata": map[string]any{
			"name": o.Name, "namespace": o.Namespace,
			"labels": map[string]any{"app.kubernetes.io/managed-by": manager},
			"ownerReferences": []any{map[string]any{
				"apiVersion": version, "kind": v1alpha1.Kind, "name": o.Name, "uid": string(o.UID), "controller": true,
			}},
		},
		"spec": map[string]any{"sourceRef": map[string]any{
			"apiVersion": version, "kind": v1alpha1.Kind, "name": o.Name, "namespace": o.Namespace,
		}},
	}}
}

// statusOf keeps the times of what has not changed: there is nothing new for those who watch.
func statusOf(existing *sourcev1.ExternalArtifact, artifact meta.Artifact) *sourcev1.ExternalArtifactStatus {
	ready := metav1.Condition{
		Type: meta.ReadyCondition, Status: metav1.ConditionTrue, Reason: meta.SucceededReason,
		Message: "the artifact is ready", ObservedGeneration: existing.Generation, LastTransitionTime: metav1.Now().Rfc3339Copy(),
	}
	artifact.LastUpdateTime = ready.LastTransitionTime
	if before := existing.Status.Artifact; before != nil && before.Digest == artifact.Digest && before.URL == artifact.URL {
		artifact.LastUpdateTime = before.LastUpdateTime
	}
	if before := conditions.Get(existing, meta.ReadyCondition); before != nil && before.Status == ready.Status {
		ready.LastTransitionTime = before.LastTransitionTime
	}
	return &sourcev1.ExternalArtifactStatus{Artifact: &artifact, Conditions: []metav1.Condition{ready}}
}

func publishedOf(artifact *meta.Artifact, items int) *v1alpha1.PublishedArtifact {
	published := &v1alpha1.PublishedArtifact{
		Digest: artifact.Digest, Revision: artifact.Revision, OriginRevision: artifact.Metadata[store.RevisionKey],
		File: filepath.Base(artifact.Path), Items: items,
	}
	if artifact.Size != nil {
		published.Size = *artifact.Size
	}
	return published
}

func isOwned(existing client.Object, o *v1alpha1.FoldedArtifact) bool {
	owner := metav1.GetControllerOf(existing)
	return owner != nil && owner.UID == o.UID
}

func ownerConflict(o *v1alpha1.FoldedArtifact) error {
	return stalledBy(reasonOwnerConflict, "an ExternalArtifact %s/%s exists already, and belongs to another owner",
		o.Namespace, o.Name)
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
	return client.IgnoreNotFound(r.Patch(ctx, o, client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{})))
}
