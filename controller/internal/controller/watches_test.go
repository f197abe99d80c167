package controller

import (
	"context"
	"errors"
	"testing"
	"time"

	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache/informertest"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

func TestAKindThatIsNotInstalledKeepsNoWorkerWaiting(t *testing.T) {
	done := make(chan reconcile.Request, 1)
	started, err := controller.NewUnmanaged("test", controller.Options{
		CacheSyncTimeout: time.Hour,
		Reconciler: reconcile.Func(func(_ context.Context, next reconcile.Request) (ctrl.Result, error) {
			done <- next
			return ctrl.Result{}, nil
		}),
	})
	if err != nil {
		t.Fatal(err)
	}
	missing := newWorld(t).sourceWatch(&informertest.FakeInformers{Error: errors.New("no matches for kind")}, "Bucket")
	objects := source.Func(func(_ context.Context, queue workqueue.TypedRateLimitingInterface[reconcile.Request]) error {
		queue.Add(request("apps", "shop"))
		return nil
	})
	if err := errors.Join(started.Watch(missing), started.Watch(objects)); err != nil {
		t.Fatal(err)
	}
	go func() { _ = started.Start(t.Context()) }()
	select {
	case <-done:
	case <-time.After(5 * time.Second):
		t.Fatal("it waits")
	}
}
