package controller

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func request(namespace, name string) reconcile.Request {
	return reconcile.Request{NamespacedName: types.NamespacedName{Namespace: namespace, Name: name}}
}

func newQueue(workers, atWork int) workqueue.TypedRateLimitingInterface[reconcile.Request] {
	return FairQueue(workers, atWork)("", workqueue.DefaultTypedControllerRateLimiter[reconcile.Request]())
}

// work has workers as a controller has.
func work(queue workqueue.TypedRateLimitingInterface[reconcile.Request], workers int, do func(reconcile.Request)) *sync.WaitGroup {
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			for {
				next, isOver := queue.Get()
				if isOver {
					return
				}
				do(next)
				queue.Done(next)
			}
		})
	}
	return &all
}

func TestTwoNamespacesLeaveAWorkerToOthers(t *testing.T) {
	queue, slow := newQueue(4, 2), make(chan struct{})
	for i := range 100 {
		queue.Add(request(fmt.Sprintf("hostile-%d", i%2), fmt.Sprint(i)))
	}
	done := make(chan string, 10)
	all := work(queue, 4, func(next reconcile.Request) {
		if next.Namespace != "apps" {
			<-slow
			return
		}
		done <- next.Name
	})
	for range 3 {
		queue.Add(request("apps", "shop"))
		select {
		case <-done:
		case <-time.After(5 * time.Second):
			t.Fatal("the other namespace waits")
		}
	}
	close(slow)
	queue.ShutDown()
	all.Wait()
}

func TestNamespacesTakeTurns(t *testing.T) {
	queue := newQueue(1, 1)
	for i := range 5 {
		queue.Add(request("many", fmt.Sprint(i)))
	}
	queue.Add(request("few", "0"))
	var order []string
	for range 6 {
		next, _ := queue.Get()
		order = append(order, next.Namespace)
		queue.Done(next)
	}
	if order[0] != "many" || order[1] != "few" {
		t.Errorf("got %v", order)
	}
}

// Each of these has one at work. Then `a` has none, and waits for no other to be done.
func TestTheLastWorkerIsOfANamespaceWithNoneAtWork(t *testing.T) {
	queue := newQueue(4, 2)
	for _, each := range []string{"a", "b", "c"} {
		queue.Add(request(each, "0"))
		queue.Get()
	}
	queue.Add(request("b", "1"))
	queue.Add(request("a", "1"))
	if queue.Len() != 0 {
		t.Fatal("the last worker is not left to others")
	}
	queue.Done(request("a", "0"))
	if next, _ := queue.Get(); next.Namespace != "a" || queue.Len() != 0 {
		t.Errorf("got %v", next)
	}
}

func TestEveryRequestIsDone(t *testing.T) {
	queue := newQueue(8, 2)
	var done, atOnce, most atomic.Int32
	all := work(queue, 8, func(next reconcile.Request) {
		if next.Namespace == "0" {
			if now := atOnce.Add(1); now > most.Load() {
				most.Store(now)
			}
			time.Sleep(time.Millisecond)
			atOnce.Add(-1)
		}
		done.Add(1)
	})
	for i := range 600 {
		queue.Add(request(fmt.Sprint(i%3), fmt.Sprint(i)))
	}
	for range 3000 {
		if done.Load() == 600 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if done.Load() != 600 || most.Load() > 2 || queue.Len() != 0 {
		t.Errorf("%d were done, %d of a namespace at once, %d wait", done.Load(), most.Load(), queue.Len())
	}
	queue.ShutDown()
	all.Wait()
}
