// Package source keeps unpacked artifacts: each digest is fetched and unpacked once for all objects that want it at the
// same time or soon after. Nothing writes into an unpacked folder.
package source

import (
	"context"
	"errors"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/fluxcd/pkg/apis/meta"
)

// Fetch downloads an artifact, checks its digest and unpacks it into a folder.
type Fetch func(ctx context.Context, artifact *meta.Artifact, folder string) error

// Cache of unpacked artifacts.
type Cache struct {
	folder  string
	keep    int
	timeout time.Duration
	fetch   Fetch

	lock  sync.Mutex
	trees map[string]*tree
	// idle has the keys of the trees without users, the longest idle one first.
	idle []string
}

type tree struct {
	Tree
	users  int
	ready  chan struct{}
	cancel context.CancelFunc
	err    error
}

// NewCache makes a cache in a folder. It keeps some trees that have no users.
func NewCache(folder string, keep int, timeout time.Duration, fetch Fetch) *Cache {
	return &Cache{folder: folder, keep: keep, timeout: timeout, fetch: fetch, trees: map[string]*tree{}}
}

// Use gives an unpacked artifact; the caller calls release when it is done with it.
func (c *Cache) Use(ctx context.Context, artifact *meta.Artifact) (found *Tree, release func(), err error) {
	// With the URL: who names a digest must be able to fetch it.
	key := artifact.Digest + "\n" + artifact.URL
	t := c.enter(key, artifact)
	select {
	case <-t.ready:
		err = t.err
	case <-ctx.Done():
		err = errors.New("the source was not fetched within spec.timeout")
	}
	release = sync.OnceFunc(func() { c.leave(key, t) })
	if err != nil {
		release()
		return nil, func() {}, err
	}
	return &t.Tree, release, nil
}

// enter starts the fetch for the first user. It ends with the last one who waits for it.
func (c *Cache) enter(key string, artifact *meta.Artifact) *tree {
	c.lock.Lock()
	defer c.lock.Unlock()
	t := c.trees[key]
	if t == nil {
		ctx, cancel := context.WithTimeout(context.Background(), c.timeout)
		t = &tree{ready: make(chan struct{}), cancel: cancel}
		c.trees[key] = t
		go c.fill(ctx, t, artifact.DeepCopy())
	}
	t.users++
	c.idle = slices.DeleteFunc(c.idle, func(each string) bool { return each == key })
	return t
}

func (c *Cache) fill(ctx context.Context, t *tree, artifact *meta.Artifact) {
	defer close(t.ready)
	defer t.cancel()
	// Never the folder of an earlier tree, which may still be written to or removed.
	if t.Folder, t.err = os.MkdirTemp(c.folder, "tree-"); t.err == nil {
		t.err = c.fetch(ctx, artifact, t.Folder)
	}
}

func (c *Cache) leave(key string, t *tree) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if t.users--; t.users > 0 {
		return
	}
	if !t.isUnpacked() {
		t.cancel()
		c.remove(key)
		return
	}
	c.idle = append(c.idle, key)
	if len(c.idle) > c.keep {
		c.remove(c.idle[0])
		c.idle = slices.Delete(c.idle, 0, 1)
	}
}

func (c *Cache) remove(key string) {
	t := c.trees[key]
	delete(c.trees, key)
	go func() {
		<-t.ready
		_ = os.RemoveAll(t.Folder)
	}()
}

func (t *tree) isUnpacked() bool {
	select {
	case <-t.ready:
		return t.err == nil
	default:
		return false
	}
}
