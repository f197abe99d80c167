package controller

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/fluxcd/pkg/apis/meta"
	"github.com/fluxcd/pkg/runtime/conditions"
	"github.com/fluxcd/pkg/runtime/reconcile"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"valuefold.dev/controller/api/v1alpha1"
	"valuefold.dev/controller/internal/fault"
	"valuefold.dev/controller/internal/fold"
)

// What a status holds at most: it is an object of the API server's.
const (
	mostFailures = 20
	mostMisses   = 100
	mostMessage  = 2000
)

// stalledError is a fault that only a change of the object mends: nothing is retried.
type stalledError struct{ reason, message string }

func (e *stalledError) Error() string { return e.message }

func stalledBy(reason, format string, args ...any) error {
	return &stalledError{reason, fmt.Sprintf(format, args...)}
}

func markStalled(o *v1alpha1.FoldedArtifact, fault *stalledError) {
	conditions.MarkFalse(o, meta.ReadyCondition, fault.reason, "%s", fault.message)
	conditions.MarkStalled(o, fault.reason, "%s", fault.message)
	conditions.Delete(o, meta.ReconcilingCondition)
	o.Status.ObservedGeneration = o.Generation
}

// markProgressing shows that a run has begun; it writes the status, as a run may take minutes.
func (r *Reconciler) markProgressing(ctx context.Context, before, o *v1alpha1.FoldedArtifact, revision string) error {
	reconcile.ProgressiveStatus(false, o, meta.ProgressingReason, "folding %s", revision)
	return r.writeStatus(ctx, before, o)
}

// unmarkProgressing is for a run that has ended without an outcome, and has no next one.
func unmarkProgressing(o *v1alpha1.FoldedArtifact) {
	if conditions.GetReason(o, meta.ReconcilingCondition) == meta.ProgressingReason {
		conditions.Delete(o, meta.ReconcilingCondition)
	}
	if conditions.IsUnknown(o, meta.ReadyCondition) {
		conditions.Delete(o, meta.ReadyCondition)
	}
}

// markFailed leaves the last artifact as it is.
func markFailed(o *v1alpha1.FoldedArtifact, reason, message, next string) {
	conditions.MarkFalse(o, meta.ReadyCondition, reason, "%s", fault.Cut(strings.TrimSpace(message), mostMessage))
	conditions.MarkReconciling(o, meta.ProgressingWithRetryReason, "%s", next)
}

// settled says what the status holds, failures or an artifact, until another revision of the source.
func settled(o *v1alpha1.FoldedArtifact) ctrl.Result {
	if len(o.Status.Failures) > 0 {
		markFailed(o, reasonOf(o), summaryOf(o), "waiting for another revision of the source")
	} else {
		conditions.MarkTrue(o, meta.ReadyCondition, meta.SucceededReason, "published %s", o.Status.Artifact.Revision)
		conditions.Delete(o, meta.ReconcilingCondition)
	}
	return after(o.Interval())
}

// notReady is for causes that may pass: it tries again later.
func notReady(o *v1alpha1.FoldedArtifact, reason, message string, wait time.Duration) ctrl.Result {
	markFailed(o, reason, message, fmt.Sprintf("trying again every %s", wait))
	return after(wait)
}

// report makes an event of a fault that is new, of its end, and of a new content. It comes after the status: a receiver of events
// that is away delays nothing.
func (r *Reconciler) report(before, o *v1alpha1.FoldedArtifact) {
	ready, was := conditions.Get(o, meta.ReadyCondition), conditions.Get(before, meta.ReadyCondition)
	switch {
	case ready == nil || ready.Status == metav1.ConditionUnknown:
	case ready.Status == metav1.ConditionFalse:
		if was == nil || was.Reason != ready.Reason || was.Message != ready.Message {
			r.Events(o, corev1.EventTypeWarning, ready.Reason, ready.Message)
		}
	case !conditions.IsTrue(before, meta.ReadyCondition) || before.Status.Artifact == nil ||
		before.Status.Artifact.Digest != o.Status.Artifact.Digest:
		r.Events(o, corev1.EventTypeNormal, ready.Reason, ready.Message+" of "+o.Status.LastPublishedRevision)
	}
}

// kept is what a status holds of a result; the log has all. A tenant's source decides how much the rest is.
func kept(ctx context.Context, result fold.Result) fold.Result {
	for _, each := range result.Failures {
		ctrl.LoggerFrom(ctx).Info("fault", "step", each.Step, "code", each.Code, "at", each.At, "message", each.Message)
	}
	for _, warning := range result.Warnings {
		ctrl.LoggerFrom(ctx).Info("warning", "message", warning)
	}
	// Copies: a part of a list keeps the whole.
	return fold.Result{
		MayPass:  result.MayPass,
		Misses:   slices.Clone(result.Misses[:min(len(result.Misses), mostMisses)]),
		Failures: slices.Clone(result.Failures[:min(len(result.Failures), mostFailures)]),
	}
}

// reasonOf is FetchFailed, BuildFailed, RenderFailed, FoldFailed or VerifyFailed.
func reasonOf(o *v1alpha1.FoldedArtifact) string {
	step := o.Status.Failures[0].Step
	return strings.ToUpper(step[:1]) + step[1:] + "Failed"
}

func summaryOf(o *v1alpha1.FoldedArtifact) string {
	first := o.Status.Failures[0]
	text := first.Step + ": "
	if first.Code != "" {
		text += "error[" + first.Code + "]: "
	}
	text += first.Message
	if first.At != "" {
		text += " (" + first.At + ")"
	}
	if more := o.Status.FailureCount - 1; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// writeStatus writes conditions and all else at once: no reader sees a failure without its place. Then `before` is what
// was written. It fails for an object that was read from an old cache.
func (r *Reconciler) writeStatus(ctx context.Context, before, o *v1alpha1.FoldedArtifact) error {
	if equality.Semantic.DeepEqual(before.Status, o.Status) {
		return nil
	}
	wanted := o.Status.DeepCopy()
	if err := r.Status().Patch(ctx, o, changeOf(before.DeepCopy()), client.FieldOwner(r.Name)); err != nil {
		return client.IgnoreNotFound(err)
	}
	o.Status = *wanted
	o.DeepCopyInto(before)
	return nil
}
