package controller

import (
	"context"

	"github.com/fluxcd/pkg/runtime/predicates"
	sourcev1 "github.com/fluxcd/source-controller/api/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"valuefold.dev/controller/api/v1alpha1"
)

const sourceIndex = ".spec.sourceRef"

// Register starts the watches.
func (r *Reconciler) Register(ctx context.Context, manager ctrl.Manager, options controller.Options) error {
	err := manager.GetFieldIndexer().IndexField(ctx, &v1alpha1.FoldedArtifact{}, sourceIndex, indexOf)
	if err != nil {
		return err
	}
	watches := ctrl.NewControllerManagedBy(manager).For(&v1alpha1.FoldedArtifact{}, builder.WithPredicates(
		predicate.Or(predicate.Funcs{UpdateFunc: r.hasNewGeneration}, predicates.ReconcileRequestedPredicate{})))
	for _, kind := range sourceKinds {
		watches.WatchesRawSource(r.sourceWatch(manager.GetCache(), kind))
	}
	return watches.WithOptions(options).Complete(r)
}

// unwaited hides from the workers that a watch can be waited for: a kind of source that is not installed would keep all
// objects from being reconciled. Who reads a source waits until its kind is listed.
type unwaited struct{ source.Source }

func (r *Reconciler) sourceWatch(objects cache.Cache, kind string) source.Source {
	return unwaited{source.Kind[client.Object](objects, newSource(kind), handler.EnqueueRequestsFromMapFunc(r.usersOf(kind)),
		predicate.Funcs{UpdateFunc: r.isOfInterest(kind)})}
}

func indexOf(object client.Object) []string {
	o := object.(*v1alpha1.FoldedArtifact)
	return []string{indexKey(o.Spec.SourceRef.Kind, o.SourceNamespace(), o.Spec.SourceRef.Name)}
}

func indexKey(kind, namespace, name string) string { return kind + "/" + namespace + "/" + name }

func (r *Reconciler) usersOf(kind string) handler.MapFunc {
	return func(ctx context.Context, source client.Object) []reconcile.Request {
		var users v1alpha1.FoldedArtifactList
		key := client.MatchingFields{sourceIndex: indexKey(kind, source.GetNamespace(), source.GetName())}
		if err := r.List(ctx, &users, key, client.UnsafeDisableDeepCopy); err != nil {
			ctrl.LoggerFrom(ctx).Error(err, "cannot list the users of a source", "kind", kind, "name", source.GetName())
			return nil
		}
		requests := make([]reconcile.Request, 0, len(users.Items)+1)
		for i := range users.Items {
			requests = append(requests, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(&users.Items[i])})
		}
		if kind == sourcev1.ExternalArtifactKind {
			// It may be ours and edited, or in the way of ours and deleted.
			requests = append(requests, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(source)})
		}
		return requests
	}
}

// hasNewGeneration is true also for an object that is to be deleted.
func (r *Reconciler) hasNewGeneration(e event.UpdateEvent) bool {
	if e.ObjectOld.GetGeneration() == e.ObjectNew.GetGeneration() {
		return false
	}
	r.attempts.objectChanged(client.ObjectKeyFromObject(e.ObjectNew))
	return true
}

func (r *Reconciler) isOfInterest(kind string) func(event.UpdateEvent) bool {
	return func(e event.UpdateEvent) bool {
		if !hasNewArtifact(e) {
			return kind == sourcev1.ExternalArtifactKind
		}
		if r.FinishOldRevisions {
			return true
		}
		for _, request := range r.usersOf(kind)(context.Background(), e.ObjectNew) {
			r.attempts.sourceMoved(request.NamespacedName)
		}
		return true
	}
}

// hasNewArtifact compares digests, too: a source may be stored again under its old revision.
func hasNewArtifact(e event.UpdateEvent) bool {
	before, _ := artifactIn(e.ObjectOld)
	after, _ := artifactIn(e.ObjectNew)
	if after == nil {
		return false
	}
	return before == nil || before.Digest != after.Digest || before.Revision != after.Revision
}
