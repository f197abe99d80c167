package controller

import (
	"slices"
	"sync"

	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// FairQueue gives the queue of a controller: namespaces take turns, none has more than some requests at work, and one
// worker is left to those that have none. The objects of a namespace, however many and slow, leave workers to the others.
func FairQueue(workers, atWork int) func(string, workqueue.TypedRateLimiter[reconcile.Request]) workqueue.TypedRateLimitingInterface[reconcile.Request] {
	return func(name string, limiter workqueue.TypedRateLimiter[reconcile.Request]) workqueue.TypedRateLimitingInterface[reconcile.Request] {
		waiting := &turns{free: workers, most: atWork, waiting: map[string][]reconcile.Request{}, atWork: map[string]int{}}
		queue := workqueue.NewTypedWithConfig(workqueue.TypedQueueConfig[reconcile.Request]{Name: name, Queue: waiting})
		return workqueue.NewTypedRateLimitingQueueWithConfig(limiter, workqueue.TypedRateLimitingQueueConfig[reconcile.Request]{
			Name: name,
			DelayingQueue: workqueue.NewTypedDelayingQueueWithConfig(workqueue.TypedDelayingQueueConfig[reconcile.Request]{
				Name: name, Queue: fairQueue{queue, waiting},
			}),
		})
	}
}

type fairQueue struct {
	workqueue.TypedInterface[reconcile.Request]
	turns *turns
}

// Done makes room in the namespace first: the worker that calls it asks for its next request right after.
func (q fairQueue) Done(done reconcile.Request) {
	q.turns.done(done)
	q.TypedInterface.Done(done)
}

// turns is the order of requests. A workqueue wakes one worker per request that is pushed, so a request that may not be
// at work yet does not count in Len; it is taken by the worker that makes room for it.
type turns struct {
	most int

	lock sync.Mutex
	// free workers.
	free    int
	waiting map[string][]reconcile.Request
	atWork  map[string]int
	// order has the namespaces that wait, the next one first.
	order []string
}

// Touch is for a request that is pushed again while it waits.
func (*turns) Touch(reconcile.Request) {}

func (t *turns) Push(request reconcile.Request) {
	t.lock.Lock()
	defer t.lock.Unlock()
	if len(t.waiting[request.Namespace]) == 0 {
		t.order = append(t.order, request.Namespace)
	}
	t.waiting[request.Namespace] = append(t.waiting[request.Namespace], request)
}

// Len is 0 if no request may be taken now.
func (t *turns) Len() int {
	t.lock.Lock()
	defer t.lock.Unlock()
	return t.next() + 1
}

// next is the place in the order of the namespace whose turn it is, or -1. Those with none at work come first: so a
// worker that is done never makes room for two requests, for the second of which no other worker would wake.
func (t *turns) next() int {
	index := slices.IndexFunc(t.order, func(namespace string) bool { return t.atWork[namespace] == 0 })
	if index < 0 && t.free > 1 {
		index = slices.IndexFunc(t.order, func(namespace string) bool { return t.atWork[namespace] < t.most })
	}
	return index
}

// Pop is called only if there is one.
func (t *turns) Pop() reconcile.Request {
	t.lock.Lock()
	defer t.lock.Unlock()
	index := t.next()
	namespace := t.order[index]
	next := t.waiting[namespace][0]
	t.order = slices.Delete(t.order, index, index+1)
	if t.waiting[namespace] = t.waiting[namespace][1:]; len(t.waiting[namespace]) > 0 {
		t.order = append(t.order, namespace)
	} else {
		delete(t.waiting, namespace)
	}
	t.atWork[namespace]++
	t.free--
	return next
}

func (t *turns) done(request reconcile.Request) {
	t.lock.Lock()
	defer t.lock.Unlock()
	t.free++
	if t.atWork[request.Namespace]--; t.atWork[request.Namespace] == 0 {
		delete(t.atWork, request.Namespace)
	}
}
