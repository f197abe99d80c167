package controller

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/fluxcd/pkg/apis/meta"
	"github.com/fluxcd/pkg/runtime/conditions"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/resourceversion"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"valuefold.dev/controller/api/v1alpha1"
	"valuefold.dev/controller/internal/fold"
	"valuefold.dev/controller/internal/program"
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

func (r *Reconciler) markStalled(before, o *v1alpha1.FoldedArtifact, fault *stalledError) {
	conditions.MarkFalse(o, meta.ReadyCondition, fault.reason, "%s", fault.message)
	conditions.MarkStalled(o, fault.reason, "%s", fault.message)
	conditions.Delete(o, meta.ReconcilingCondition)
	o.Status.ObservedGeneration = o.Generation
	r.warn(before, o, fault.reason, fault.message)
}

func (r *Reconciler) markReady(o *v1alpha1.FoldedArtifact) {
	conditions.MarkTrue(o, meta.ReadyCondition, meta.SucceededReason, "published %s", o.Status.Artifact.Revision)
	conditions.Delete(o, meta.ReconcilingCondition)
}

// markProgressing shows that a run has begun; it writes the status, as a run may take minutes.
func (r *Reconciler) markProgressing(ctx context.Context, before, o *v1alpha1.FoldedArtifact, revision string) error {
	if conditions.Get(o, meta.ReadyCondition) == nil {
		conditions.MarkUnknown(o, meta.ReadyCondition, meta.ProgressingReason, "folding %s", revision)
	}
	conditions.MarkReconciling(o, meta.ProgressingReason, "folding %s", revision)
	return r.writeStatus(ctx, before, o)
}

// notReady leaves the last artifact as it is, and tries again later.
func (r *Reconciler) notReady(o *v1alpha1.FoldedArtifact, reason, message string, wait time.Duration) ctrl.Result {
	message = program.Cut(strings.TrimSpace(message), mostMessage)
	before := o.DeepCopy()
	conditions.MarkFalse(o, meta.ReadyCondition, reason, "%s", message)
	conditions.MarkReconciling(o, meta.ProgressingWithRetryReason, "trying again every %s", wait)
	r.warn(before, o, reason, message)
	return after(wait)
}

// warn makes an event of a fault that is new.
func (r *Reconciler) warn(before, o *v1alpha1.FoldedArtifact, reason, message string) {
	if conditions.GetReason(before, meta.ReadyCondition) == reason &&
		conditions.GetMessage(before, meta.ReadyCondition) == message {
		return
	}
	r.Events.Event(o, corev1.EventTypeWarning, reason, message)
}

func (r *Reconciler) noteResult(ctx context.Context, o *v1alpha1.FoldedArtifact, result fold.Result) {
	o.Status.Misses = result.Misses[:min(len(result.Misses), mostMisses)]
	o.Status.Warnings = len(result.Warnings)
	o.Status.FailureCount = len(result.Failures)
	o.Status.Failures = result.Failures[:min(len(result.Failures), mostFailures)]
	for _, each := range result.Failures {
		ctrl.LoggerFrom(ctx).Info("fault", "step", each.Step, "code", each.Code, "at", each.At, "message", each.Message)
	}
	for _, warning := range result.Warnings {
		ctrl.LoggerFrom(ctx).Info("warning", "message", warning)
	}
}

// reasonOf is BuildFailed, RenderFailed, FoldFailed or VerifyFailed.
func reasonOf(failures []v1alpha1.Failure) string {
	step := failures[0].Step
	return strings.ToUpper(step[:1]) + step[1:] + "Failed"
}

func summaryOf(failures []v1alpha1.Failure) string {
	first := failures[0]
	text := first.Step + ": "
	if first.Code != "" {
		text += "error[" + first.Code + "]: "
	}
	text += first.Message
	if first.At != "" {
		text += " (" + first.At + ")"
	}
	if more := len(failures) - 1; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// isStale is true for an object that is older than the status that was written last.
func (r *Reconciler) isStale(o *v1alpha1.FoldedArtifact) bool {
	written, isKnown := r.written.Load(client.ObjectKeyFromObject(o))
	if !isKnown {
		return false
	}
	order, err := resourceversion.CompareResourceVersion(o.ResourceVersion, written.(string))
	return err == nil && order < 0
}
