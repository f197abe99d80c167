package controller

import (
	"context"

	"github.com/fluxcd/pkg/runtime/predicates"
	sourcev1 "github.com/fluxcd/source-controller/api/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"valuefold.dev/controller/api/v1alpha1"
)

const sourceIndex = ".spec.sourceRef"

// Register starts the watches.
func (r *Reconciler) Register(ctx context.Context, manager ctrl.Manager, options controller.Options) error {
	err := manager.GetFieldIndexer().IndexField(ctx, &v1alpha1.FoldedArtifact{}, sourceIndex, indexOf)
	if err != nil {
		return err
	}
	watches := ctrl.NewControllerManagedBy(manager).
		For(&v1alpha1.FoldedArtifact{}, builder.WithPredicates(
			predicate.Or(predicate.GenerationChangedPredicate{}, predicates.ReconcileRequestedPredicate{}))).
		Watches(&sourcev1.ExternalArtifact{}, handler.EnqueueRequestForOwner(manager.GetScheme(),
			manager.GetRESTMapper(), &v1alpha1.FoldedArtifact{}, handler.OnlyControllerOwner()),
			builder.WithPredicates(predicate.Funcs{
				CreateFunc: func(event.CreateEvent) bool { return false },
				UpdateFunc: func(e event.UpdateEvent) bool { return !r.isAnnounced(e.ObjectNew) },
			}))
	for kind, create := range newSource {
		watches.Watches(create(), handler.EnqueueRequestsFromMapFunc(r.usersOf(kind)),
			builder.WithPredicates(predicate.Funcs{UpdateFunc: hasNewArtifact}))
	}
	return watches.WithOptions(options).Complete(r)
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
		requests := make([]reconcile.Request, 0, len(users.Items))
		for i := range users.Items {
			requests = append(requests, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(&users.Items[i])})
		}
		return requests
	}
}

// hasNewArtifact compares digests, too: a source may be stored again under its old revision.
func hasNewArtifact(e event.UpdateEvent) bool {
	before, after := e.ObjectOld.(sourcev1.Source).GetArtifact(), e.ObjectNew.(sourcev1.Source).GetArtifact()
	if after == nil {
		return false
	}
	return before == nil || before.Digest != after.Digest || before.Revision != after.Revision
}

// isAnnounced is true for an ExternalArtifact that says what was written last: the watch sees our own writes.
func (r *Reconciler) isAnnounced(object client.Object) bool {
	said, isKnown := r.announced.Load(client.ObjectKeyFromObject(object))
	return isKnown && said == statement(object.(*sourcev1.ExternalArtifact).Status.Artifact)
}
