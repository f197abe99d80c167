// Package controller reconciles FoldedArtifacts.
package controller

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	eventv1 "github.com/fluxcd/pkg/apis/event/v1beta1"
	"github.com/fluxcd/pkg/apis/meta"
	"github.com/fluxcd/pkg/runtime/conditions"
	fluxctrl "github.com/fluxcd/pkg/runtime/controller"
	"github.com/fluxcd/pkg/runtime/jitter"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/client-go/tools/record"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"valuefold.dev/controller/api/v1alpha1"
	"valuefold.dev/controller/internal/fold"
	"valuefold.dev/controller/internal/program"
	"valuefold.dev/controller/internal/source"
	"valuefold.dev/controller/internal/store"
)

// Reconciler of FoldedArtifacts.
type Reconciler struct {
	client.Client
	fluxctrl.Metrics
	Events record.EventRecorder
	Store  store.Store
	Folder fold.Folder
	// Name is the field manager, and the reporter of events.
	Name string
	// Version of the valuefold program: another one folds everything again.
	Version string
	// AllowCrossNamespace lets an object name a source of another namespace.
	AllowCrossNamespace bool
	Sources             *source.Cache
	// SourceWait is how soon an object looks again for a source that is missing or cannot be fetched.
	SourceWait time.Duration

	// written has the resource version of each object's last status: the cache may still hold an earlier one.
	written sync.Map
	// announced has what each ExternalArtifact was last made to say.
	announced sync.Map
}

// Reasons of conditions, next to those of Flux.
const (
	reasonAccessDenied     = "AccessDenied"
	reasonInvalid          = "ValidationFailed"
	reasonOwnerConflict    = "OwnerConflict"
	reasonSourceNotReady   = "SourceNotReady"
	reasonDecryptionFailed = "DecryptionFailed"
	reasonFetchFailed      = "FetchFailed"
	reasonStorageFailed    = "StorageFailed"
	reasonProgramFailed    = "ProgramFailed"
)

// A stale cache is asked again soon: it lags by milliseconds.
const cacheWait = 20 * time.Millisecond

// Reconcile brings one object up to date.
func (r *Reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	begun := time.Now()
	o := &v1alpha1.FoldedArtifact{}
	if err := r.Get(ctx, request.NamespacedName, o); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if r.isStale(o) {
		return ctrl.Result{RequeueAfter: cacheWait}, nil
	}
	if !o.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, r.finalize(ctx, o)
	}
	if o.Spec.Suspend {
		return ctrl.Result{}, nil
	}
	if !controllerutil.ContainsFinalizer(o, v1alpha1.Finalizer) {
		before := o.DeepCopy()
		controllerutil.AddFinalizer(o, v1alpha1.Finalizer)
		if err := r.Patch(ctx, o, client.MergeFrom(before)); err != nil {
			return ctrl.Result{}, err
		}
	}
	defer r.RecordDuration(ctx, o, begun)
	before := o.DeepCopy()
	result, err := r.publish(ctx, before, o)
	if requested, ok := meta.ReconcileAnnotationValue(o.GetAnnotations()); ok {
		o.Status.SetLastHandledReconcileRequest(requested)
	}
	if err == nil {
		o.Status.ObservedGeneration = o.Generation
	}
	var stalled *stalledError
	if errors.As(err, &stalled) {
		r.markStalled(before, o, stalled)
		err = nil
	}
	if patchErr := r.writeStatus(ctx, before, o); patchErr != nil {
		err = errors.Join(err, patchErr)
	}
	return result, err
}

// publish makes the artifact if anything that it depends on has changed.
func (r *Reconciler) publish(ctx context.Context, before, o *v1alpha1.FoldedArtifact) (ctrl.Result, error) {
	if err := r.check(o); err != nil {
		return ctrl.Result{}, err
	}
	artifact, err := r.sourceOf(ctx, o)
	if err != nil {
		return r.notReady(o, reasonSourceNotReady, err.Error(), r.SourceWait), nil
	}
	keys, err := r.keysOf(ctx, o)
	if err != nil {
		return r.notReady(o, reasonDecryptionFailed, err.Error(), o.RetryInterval()), nil
	}
	input := digestOf(artifact.Digest, artifact.Revision, fmt.Sprint(o.Generation), r.Version, keys.version)
	reason, err := r.drift(ctx, o, input)
	if err != nil {
		return ctrl.Result{}, err
	}
	if reason == "" {
		r.markReady(o)
		return after(o.Interval()), nil
	}
	ctrl.LoggerFrom(ctx).Info("folding", "because", reason, "source", artifact.Revision)
	o.Status.LastAttemptedRevision = artifact.Revision
	if err := r.markProgressing(ctx, before, o, artifact.Revision); err != nil {
		return ctrl.Result{}, err
	}
	return r.make(ctx, o, made{source: artifact, keys: keys, input: input})
}

// made is what one artifact is made of.
type made struct {
	source *meta.Artifact
	keys   keys
	input  string
}

func (r *Reconciler) make(ctx context.Context, o *v1alpha1.FoldedArtifact, from made) (ctrl.Result, error) {
	work, err := os.MkdirTemp("", "fold-")
	if err != nil {
		return r.notReady(o, reasonStorageFailed, err.Error(), o.RetryInterval()), nil
	}
	defer os.RemoveAll(work)
	running, cancel := context.WithTimeout(ctx, o.Timeout())
	defer cancel()
	folder, release, err := r.Sources.Use(running, from.source)
	if ctx.Err() != nil {
		release()
		return ctrl.Result{}, ctx.Err()
	}
	if err != nil {
		return r.notReady(o, reasonFetchFailed, program.Hide(err.Error(), os.TempDir()), r.SourceWait), nil
	}
	defer release()

	result, err := r.Folder.Run(running, fold.Request{
		Spec: o.Spec, Name: o.Name, Namespace: o.Namespace, Source: folder, Work: work,
		Keys: from.keys.env, Previous: r.previous(o, work),
	})
	if ctx.Err() != nil {
		// The controller ends: what its children say of that is no fault.
		return ctrl.Result{}, ctx.Err()
	}
	if err != nil {
		ctrl.LoggerFrom(ctx).Error(err, "the program failed")
		return r.notReady(o, reasonProgramFailed, messageOf(err), o.RetryInterval()), nil
	}
	r.noteResult(ctx, o, result)
	if len(result.Failures) > 0 {
		return r.notReady(o, reasonOf(result.Failures), summaryOf(result.Failures), o.RetryInterval()), nil
	}
	artifact, err := r.Store.Archive(o, result.Text, from.source, work)
	if err != nil {
		return r.notReady(o, reasonStorageFailed, program.Hide(err.Error(), work, r.Store.Storage.BasePath),
			o.RetryInterval()), nil
	}
	if err := r.announce(ctx, o, artifact); err != nil {
		return ctrl.Result{}, err
	}
	if err := r.Store.Collect(ctx, artifact); err != nil {
		ctrl.LoggerFrom(ctx).Error(err, "old files were not removed")
	}
	r.notePublished(o, artifact, from, result.Items)
	return after(o.Interval()), nil
}

func messageOf(err error) string {
	if errors.Is(err, program.ErrBug) {
		return program.ErrBug.Error() + ": the log of the controller has it"
	}
	return "the program could not be run: the log of the controller says why"
}

// previous unpacks what is published, so that seals can be kept.
func (r *Reconciler) previous(o *v1alpha1.FoldedArtifact, work string) string {
	if o.Spec.Decryption == nil || o.Status.Artifact == nil {
		return ""
	}
	return r.Store.Unpack(r.Store.Stored(o), filepath.Join(work, "previous"))
}

func after(interval time.Duration) ctrl.Result {
	return ctrl.Result{RequeueAfter: jitter.JitteredIntervalDuration(interval)}
}

func (r *Reconciler) notePublished(o *v1alpha1.FoldedArtifact, artifact *meta.Artifact, from made, items int) {
	before := o.Status.Artifact
	o.Status.Artifact = publishedOf(artifact, items)
	o.Status.LastPublishedRevision, o.Status.ObservedInput = from.source.Revision, from.input
	r.markReady(o)
	// A trace is for the log of Flux' events alone: nothing has changed for those who watch.
	severity := eventv1.EventTypeTrace
	if before == nil || before.Digest != artifact.Digest {
		severity = corev1.EventTypeNormal
	}
	r.Events.Event(o, severity, meta.SucceededReason,
		fmt.Sprintf("published %s of %s", artifact.Revision, from.source.Revision))
}

// writeStatus writes conditions and all else at once: no reader sees a failure without its place. Then `before` is what
// was written.
func (r *Reconciler) writeStatus(ctx context.Context, before, o *v1alpha1.FoldedArtifact) error {
	if equality.Semantic.DeepEqual(before.Status, o.Status) {
		return nil
	}
	wanted := o.Status.DeepCopy()
	base := before.DeepCopy()
	base.ResourceVersion, o.ResourceVersion = "", ""
	if err := r.Status().Patch(ctx, o, client.MergeFrom(base), client.FieldOwner(r.Name)); err != nil {
		return client.IgnoreNotFound(err)
	}
	o.Status = *wanted
	o.DeepCopyInto(before)
	r.written.Store(client.ObjectKeyFromObject(o), o.ResourceVersion)
	return nil
}

var _ reconcile.Reconciler = &Reconciler{}

func (r *Reconciler) check(o *v1alpha1.FoldedArtifact) error {
	reference, namespace := o.Spec.SourceRef, o.SourceNamespace()
	switch {
	case namespace != o.Namespace && !r.AllowCrossNamespace:
		return stalledBy(reasonAccessDenied, "cross-namespace reference to %s %s/%s is not allowed",
			reference.Kind, namespace, reference.Name)
	case reference.Kind == "ExternalArtifact" && reference.Name == o.Name && namespace == o.Namespace:
		return stalledBy(reasonInvalid, "it would be its own source")
	case o.Spec.Build == nil && len(o.Spec.Render) == 0:
		return stalledBy(reasonInvalid, "one of spec.build and spec.render must be set")
	}
	conditions.Delete(o, meta.StalledCondition)
	return nil
}
