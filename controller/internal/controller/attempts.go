package controller

import (
	"context"
	"errors"
	"sync"

	"k8s.io/apimachinery/pkg/types"
)

var errOutdated = errors.New("what is folded has changed meanwhile")

// attempts are the folds that run. One whose object or source has changed frees its worker.
type attempts struct {
	running sync.Map
	// spared are objects whose last fold was cancelled by their source: the next one runs to its end, as a source may
	// change faster than a fold takes.
	spared sync.Map
}

type attempt struct {
	cancel  context.CancelCauseFunc
	isSpare bool
}

func (a *attempts) begin(ctx context.Context, name types.NamespacedName) (context.Context, func()) {
	running, cancel := context.WithCancelCause(ctx)
	_, isSpare := a.spared.LoadAndDelete(name)
	a.running.Store(name, &attempt{cancel, isSpare})
	return running, func() {
		a.running.Delete(name)
		cancel(nil)
	}
}

func (a *attempts) objectChanged(name types.NamespacedName) {
	if found, isRunning := a.running.Load(name); isRunning {
		found.(*attempt).cancel(errOutdated)
	}
}

func (a *attempts) sourceMoved(name types.NamespacedName) {
	if found, isRunning := a.running.Load(name); isRunning && !found.(*attempt).isSpare {
		a.spared.Store(name, true)
		found.(*attempt).cancel(errOutdated)
	}
}
