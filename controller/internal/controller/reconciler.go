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

	"github.com/fluxcd/pkg/apis/meta"
	"github.com/fluxcd/pkg/runtime/conditions"
	fluxctrl "github.com/fluxcd/pkg/runtime/controller"
	"github.com/fluxcd/pkg/runtime/jitter"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"valuefold.dev/controller/api/v1alpha1"
	"valuefold.dev/controller/internal/fault"
	"valuefold.dev/controller/internal/fold"
	"valuefold.dev/controller/internal/program"
	"valuefold.dev/controller/internal/source"
	"valuefold.dev/controller/internal/store"
)

// What the controller may do. It reads no Secrets: a user of `decryption` grants `get` on that one Secret by a Role. A patch
// of a FoldedArtifact is for its finalizer; the admission policy asks for `publish`.
//
// +kubebuilder:rbac:groups=flux.valuefold.dev,resources=foldedartifacts,verbs=get;list;watch;patch
// +kubebuilder:rbac:groups=flux.valuefold.dev,resources=foldedartifacts/status,verbs=patch
// +kubebuilder:rbac:groups=flux.valuefold.dev,resources=externalartifacts,verbs=publish
// +kubebuilder:rbac:groups=source.toolkit.fluxcd.io,resources=gitrepositories;ocirepositories;buckets,verbs=get;list;watch
// +kubebuilder:rbac:groups=source.toolkit.fluxcd.io,resources=externalartifacts,verbs=get;list;watch;create;patch;delete
// +kubebuilder:rbac:groups=source.toolkit.fluxcd.io,resources=externalartifacts/status,verbs=patch
// +kubebuilder:rbac:groups="",resources=events,verbs=create;patch
// +kubebuilder:rbac:groups=coordination.k8s.io,namespace=flux-system,resources=leases,verbs=get;create;update

// Reconciler of FoldedArtifacts.
type Reconciler struct {
	client.Client
	fluxctrl.Metrics
	// Events takes an event, and never waits for who receives it.
	Events func(o *v1alpha1.FoldedArtifact, kind, reason, message string)
	Store  store.Store
	Folder fold.Folder
	// Name is the field manager, and the reporter of events.
	Name string
	// Version of the valuefold program: another one folds everything again.
	Version string
	// AllowCrossNamespace lets an object name a source of another namespace.
	AllowCrossNamespace bool
	// FinishOldRevisions lets a fold run to its end when its source has moved on.
	FinishOldRevisions bool
	Sources            *source.Cache
	// SourceWait is how soon an object looks again for a source that is missing or cannot be fetched.
	SourceWait time.Duration
	// MostTime bounds spec.timeout.
	MostTime time.Duration

	attempts attempts
	// outcomes have what came of the last run of each object.
	outcomes sync.Map
}

// outcome of a run. While what it came from is the same, so is it.
type outcome struct {
	// settings are a digest of the object, of its keys and of the program.
	settings string
	// read of the source, and their digest.
	read   []string
	digest string
	// folded is a digest of what the fold read.
	folded string
	// result as far as a status holds it, and how many failures and warnings there were.
	result             fold.Result
	failures, warnings int
	foldWarnings       int
	published          *v1alpha1.PublishedArtifact
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
	result, err := r.reconcile(ctx, request)
	if apierrors.IsConflict(err) || apierrors.IsAlreadyExists(err) {
		return ctrl.Result{RequeueAfter: cacheWait}, nil
	}
	return result, err
}

func (r *Reconciler) reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	begun := time.Now()
	// What changes from here on ends the fold: what was read is old then.
	attempt, end := r.attempts.begin(ctx, request.NamespacedName)
	defer end()
	o := &v1alpha1.FoldedArtifact{}
	if err := r.Get(ctx, request.NamespacedName, o); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !o.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, r.finalize(ctx, o)
	}
	if o.Spec.Suspend {
		before := o.DeepCopy()
		unmarkProgressing(o)
		return ctrl.Result{}, r.writeStatus(ctx, before, o)
	}
	if !controllerutil.ContainsFinalizer(o, v1alpha1.Finalizer) {
		before := o.DeepCopy()
		controllerutil.AddFinalizer(o, v1alpha1.Finalizer)
		if err := r.Patch(ctx, o, changeOf(before)); err != nil {
			return ctrl.Result{}, err
		}
	}
	defer r.RecordDuration(ctx, o, begun)
	first, before := o.DeepCopy(), o.DeepCopy()
	result, err := r.publish(ctx, attempt, before, o)
	if requested, ok := meta.ReconcileAnnotationValue(o.GetAnnotations()); ok {
		o.Status.SetLastHandledReconcileRequest(requested)
	}
	if err == nil {
		o.Status.ObservedGeneration = o.Generation
	}
	var stalled *stalledError
	if errors.As(err, &stalled) {
		markStalled(o, stalled)
		err = nil
	}
	if writeErr := r.writeStatus(ctx, before, o); writeErr != nil {
		return result, errors.Join(err, writeErr)
	}
	r.report(first, o)
	return result, err
}

// publish makes the artifact if anything that it depends on has changed.
func (r *Reconciler) publish(ctx, attempt context.Context, before, o *v1alpha1.FoldedArtifact) (ctrl.Result, error) {
	if err := r.check(o); err != nil {
		return ctrl.Result{}, err
	}
	// What is published stays so whatever its source and its keys are now.
	isStored := r.Store.Has(o, o.Status.Artifact)
	if isStored {
		if err := r.announce(ctx, o); err != nil {
			return ctrl.Result{}, err
		}
	}
	artifact, err := r.sourceOf(ctx, o)
	if err != nil {
		return notReady(o, reasonSourceNotReady, err.Error(), r.SourceWait), nil
	}
	keys, err := r.keysOf(ctx, o)
	if err != nil {
		return notReady(o, reasonDecryptionFailed, err.Error(), o.RetryInterval()), nil
	}
	from := made{source: artifact, keys: keys, settings: digestOf(fmt.Sprint(o.Generation), r.Version, keys.version)}
	from.input = digestOf(artifact.Digest, artifact.Revision, from.settings)
	if o.Status.ObservedInput == from.input && (isStored || len(o.Status.Failures) > 0) {
		// Something else may have failed meanwhile.
		return settled(o), nil
	}
	o.Status.LastAttemptedRevision, o.Status.LastAttemptedOriginRevision = artifact.Revision, store.OriginOf(artifact)
	return r.make(ctx, attempt, before, o, from)
}

// made is what one artifact is made of.
type made struct {
	source *meta.Artifact
	keys   keys
	// settings and source are the input.
	settings, input string
}

func (r *Reconciler) make(ctx, attempt context.Context, before, o *v1alpha1.FoldedArtifact, from made) (ctrl.Result, error) {
	running, cancel := context.WithTimeout(attempt, min(o.Timeout(), r.MostTime))
	defer cancel()
	tree, release, err := r.Sources.Use(running, from.source)
	defer release()
	if attempt.Err() != nil {
		return ctrl.Result{}, ctx.Err()
	}
	if err != nil {
		message := fault.Hide(fmt.Sprintf("%s, %s: %v", nameOf(o), from.source.URL, err), os.TempDir())
		if errors.As(err, new(*fault.Fault)) {
			failure := v1alpha1.Failure{Step: "fetch", Message: fault.Cut(message, mostMessage)}
			return r.conclude(ctx, o, from, &outcome{failures: 1, result: fold.Result{Failures: []v1alpha1.Failure{failure}}})
		}
		return notReady(o, reasonFetchFailed, message, r.SourceWait), nil
	}
	last := r.lastOf(o, from)
	if last.digest != tree.Digest(last.read) {
		if err = r.markProgressing(ctx, before, o, from.source.Revision); err == nil {
			last, err = r.run(running, o, from, tree, last)
		}
	}
	switch {
	case attempt.Err() != nil:
		// The controller ends, or a newer request waits: what its children say of that is no fault.
		return ctrl.Result{}, ctx.Err()
	case errors.As(err, new(apierrors.APIStatus)):
		return ctrl.Result{}, err
	case err != nil:
		ctrl.LoggerFrom(ctx).Error(err, "the run failed")
		o.Status.ObservedInput = ""
		reason, message := troubleOf(err)
		return notReady(o, reason, message, o.RetryInterval()), nil
	}
	return r.conclude(ctx, o, from, last)
}

// lastOf is the outcome of the last run, if one of the same source would have the same. Otherwise it is empty.
func (r *Reconciler) lastOf(o *v1alpha1.FoldedArtifact, from made) *outcome {
	found, isKnown := r.outcomes.Load(client.ObjectKeyFromObject(o))
	if !isKnown || found.(*outcome).settings != from.settings {
		return &outcome{}
	}
	last := found.(*outcome)
	if last.published != nil && !r.Store.Has(o, last.published) {
		return &outcome{}
	}
	return last
}

func (r *Reconciler) run(ctx context.Context, o *v1alpha1.FoldedArtifact, from made, tree *source.Tree, last *outcome) (*outcome, error) {
	ctrl.LoggerFrom(ctx).Info("folding", "source", from.source.Revision)
	r.outcomes.Delete(client.ObjectKeyFromObject(o))
	work, err := os.MkdirTemp("", "fold-")
	if err != nil {
		return nil, &storageError{err}
	}
	defer os.RemoveAll(work)
	result, err := r.Folder.Run(ctx, fold.Request{
		Spec: o.Spec, Name: o.Name, Namespace: o.Namespace, Source: tree.Folder, Work: work,
		Keys: from.keys.env, Previous: r.previous(o, work), Folded: last.folded,
	})
	if err != nil {
		return nil, err
	}
	next := &outcome{
		settings: from.settings, read: result.Read, digest: tree.Digest(result.Read),
		result: kept(ctx, result), failures: len(result.Failures), warnings: len(result.Warnings),
		foldWarnings: result.FoldWarnings,
	}
	switch {
	case len(result.Failures) > 0:
		// Not the digest: places in files of the source may differ where what is built does not.
	case result.IsSame:
		next.folded, next.published, next.foldWarnings = last.folded, last.published, last.foldWarnings
		next.warnings += last.foldWarnings
	default:
		next.folded = result.Folded
		if next.published, err = r.Store.Archive(o, result.Text, from.source, work); err != nil {
			return nil, &storageError{errors.New(fault.Hide(err.Error(), work, r.Store.Storage.BasePath))}
		}
		next.published.Items = result.Items
	}
	if !result.MayPass && ctx.Err() == nil {
		r.outcomes.Store(client.ObjectKeyFromObject(o), next)
	}
	return next, nil
}

// conclude writes down what came of a run, or what is known to come of it.
func (r *Reconciler) conclude(ctx context.Context, o *v1alpha1.FoldedArtifact, from made, last *outcome) (ctrl.Result, error) {
	before := o.Status.DeepCopy()
	o.Status.Misses, o.Status.Warnings = last.result.Misses, last.warnings
	o.Status.Failures, o.Status.FailureCount = last.result.Failures, last.failures
	o.Status.ObservedInput = from.input
	if last.failures > 0 {
		if last.result.MayPass {
			o.Status.ObservedInput = ""
			return notReady(o, reasonOf(o), summaryOf(o), o.RetryInterval()), nil
		}
		return settled(o), nil
	}
	o.Status.Artifact = last.published.DeepCopy()
	o.Status.Artifact.OriginRevision = store.OriginOf(from.source)
	o.Status.LastPublishedRevision = from.source.Revision
	if err := r.announce(ctx, o); err != nil {
		// It is not published yet.
		o.Status = *before
		return ctrl.Result{}, err
	}
	if err := r.Store.Collect(ctx, r.Store.Stored(o, o.Status.Artifact)); err != nil {
		ctrl.LoggerFrom(ctx).Error(err, "old files were not removed")
	}
	return settled(o), nil
}

// storageError is trouble with the controller's own files.
type storageError struct{ error }

func troubleOf(err error) (reason, message string) {
	switch {
	case errors.As(err, new(*storageError)):
		return reasonStorageFailed, err.Error()
	case errors.Is(err, program.ErrBug):
		return reasonProgramFailed, program.ErrBug.Error() + ": the log of the controller has it"
	}
	return reasonProgramFailed, "the program could not be run: the log of the controller says why"
}

// previous unpacks what is published, so that seals can be kept.
func (r *Reconciler) previous(o *v1alpha1.FoldedArtifact, work string) string {
	if o.Spec.Decryption == nil || o.Status.Artifact == nil {
		return ""
	}
	return r.Store.Unpack(r.Store.Stored(o, o.Status.Artifact), filepath.Join(work, "previous"))
}

func after(interval time.Duration) ctrl.Result {
	return ctrl.Result{RequeueAfter: jitter.JitteredIntervalDuration(interval)}
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
	case o.Unreadable != "":
		return stalledBy(reasonInvalid, "it cannot be read: %s", o.Unreadable)
	case o.Spec.Build == nil && len(o.Spec.Render) == 0:
		return stalledBy(reasonInvalid, "one of spec.build and spec.render must be set")
	}
	conditions.Delete(o, meta.StalledCondition)
	return nil
}
