package controller

import (
	"context"
	"path/filepath"

	"github.com/fluxcd/pkg/apis/meta"
	"github.com/fluxcd/pkg/runtime/conditions"
	sourcev1 "github.com/fluxcd/source-controller/api/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"valuefold.dev/controller/api/v1alpha1"
	"valuefold.dev/controller/internal/store"
)

// drift says why the artifact must be made again; it is empty if all is as it was published.
func (r *Reconciler) drift(ctx context.Context, o *v1alpha1.FoldedArtifact, input string) (string, error) {
	switch {
	case o.Status.Artifact == nil:
		return "it was never published", nil
	case len(o.Status.Failures) > 0 || conditions.GetReason(o, meta.ReadyCondition) == reasonProgramFailed:
		return "it failed before", nil
	case o.Status.ObservedInput != input:
		return "its input has changed", nil
	}
	stored := r.Store.Stored(o)
	if fault := r.Store.Fault(stored); fault != "" {
		return fault, nil
	}
	existing := &sourcev1.ExternalArtifact{}
	if err := r.Get(ctx, client.ObjectKeyFromObject(o), existing); apierrors.IsNotFound(err) {
		return "its ExternalArtifact is missing", nil
	} else if err != nil {
		return "", err
	}
	if !isOwned(existing, o) {
		return "", ownerConflict(o)
	}
	announced := existing.Status.Artifact
	if announced == nil || announced.Path != stored.Path || statement(announced) != statement(&stored) {
		return "its ExternalArtifact was changed", nil
	}
	r.announced.Store(client.ObjectKeyFromObject(o), statement(&stored))
	return "", nil
}

// announce writes the ExternalArtifact.
func (r *Reconciler) announce(ctx context.Context, o *v1alpha1.FoldedArtifact, artifact *meta.Artifact) error {
	existing := &sourcev1.ExternalArtifact{}
	err := r.Get(ctx, client.ObjectKeyFromObject(o), existing)
	if client.IgnoreNotFound(err) != nil {
		return err
	}
	if err == nil && !isOwned(existing, o) {
		return ownerConflict(o)
	}
	r.announced.Store(client.ObjectKeyFromObject(o), statement(artifact))
	written, options := wantedFor(o, r.Name), []client.ApplyOption{client.ForceOwnership, client.FieldOwner(r.Name)}
	if err := r.Apply(ctx, client.ApplyConfigurationFromUnstructured(written), options...); err != nil {
		return err
	}
	status, err := runtime.DefaultUnstructuredConverter.ToUnstructured(
		statusOf(existing, written.GetGeneration(), artifact))
	if err != nil {
		return err
	}
	written = wantedFor(o, r.Name)
	written.Object["status"] = status
	return r.Status().Apply(ctx, client.ApplyConfigurationFromUnstructured(written),
		client.ForceOwnership, client.FieldOwner(r.Name))
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
func statusOf(
	existing *sourcev1.ExternalArtifact, generation int64, artifact *meta.Artifact,
) *sourcev1.ExternalArtifactStatus {
	ready := metav1.Condition{
		Type: meta.ReadyCondition, Status: metav1.ConditionTrue, Reason: meta.SucceededReason,
		Message: "the artifact is ready", ObservedGeneration: generation, LastTransitionTime: metav1.Now(),
	}
	if before := existing.Status.Artifact; statement(before) == statement(artifact) {
		artifact.LastUpdateTime = before.LastUpdateTime
	}
	if before := conditions.Get(existing, meta.ReadyCondition); before != nil && before.Status == ready.Status {
		ready.LastTransitionTime = before.LastTransitionTime
	}
	return &sourcev1.ExternalArtifactStatus{Artifact: artifact, Conditions: []metav1.Condition{ready}}
}

// statement is what an ExternalArtifact says to those who watch it.
func statement(artifact *meta.Artifact) string {
	if artifact == nil {
		return ""
	}
	return artifact.Digest + " " + artifact.URL
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

func isOwned(existing *sourcev1.ExternalArtifact, o *v1alpha1.FoldedArtifact) bool {
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
	existing := &sourcev1.ExternalArtifact{}
	err := r.Get(ctx, client.ObjectKeyFromObject(o), existing)
	if err == nil && isOwned(existing, o) {
		err = r.Delete(ctx, existing, client.Preconditions{UID: &existing.UID})
	}
	if client.IgnoreNotFound(err) != nil {
		return err
	}
	r.announced.Delete(client.ObjectKeyFromObject(o))
	r.written.Delete(client.ObjectKeyFromObject(o))
	before := o.DeepCopy()
	controllerutil.RemoveFinalizer(o, v1alpha1.Finalizer)
	return client.IgnoreNotFound(r.Patch(ctx, o, client.MergeFrom(before)))
}
