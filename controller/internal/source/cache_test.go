package source

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/fluxcd/pkg/apis/meta"

	"valuefold.dev/controller/internal/fault"
)

func artifact(name string) *meta.Artifact {
	return &meta.Artifact{Digest: "sha256:" + name, URL: "http://source/" + name}
}

func newCache(t *testing.T, keep int, fetch Fetch) *Cache {
	t.Helper()
	return NewCache(t.TempDir(), keep, time.Minute, fetch)
}

func use(t *testing.T, c *Cache, name string) (string, func()) {
	t.Helper()
	tree, release, err := c.Use(t.Context(), artifact(name))
	if err != nil {
		t.Fatal(err)
	}
	return tree.Folder, release
}

func TestEachArtifactIsFetchedOnce(t *testing.T) {
	var fetches atomic.Int32
	cache := newCache(t, 2, func(context.Context, *meta.Artifact, string) error {
		fetches.Add(1)
		time.Sleep(20 * time.Millisecond)
		return nil
	})
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			_, release := use(t, cache, "a")
			release()
		})
	}
	all.Wait()
	if fetches.Load() != 1 {
		t.Fatalf("fetched %d times", fetches.Load())
	}
}

// An archive that takes long is not unpacked for a user who has gone.
func TestAFetchThatNoUserWaitsForEnds(t *testing.T) {
	ended := make(chan error, 1)
	cache := newCache(t, 2, func(ctx context.Context, _ *meta.Artifact, folder string) error {
		if err := os.WriteFile(filepath.Join(folder, "half"), nil, 0o600); err != nil {
			return err
		}
		<-ctx.Done()
		ended <- ctx.Err()
		return ctx.Err()
	})
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, _, err := cache.Use(ctx, artifact("a")); err == nil {
		t.Fatal("expected an error")
	}
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	eventually(t, func() bool { return countOf(t, cache.folder) == 0 })
}

func TestADigestChangesWithWhatWasRead(t *testing.T) {
	digest := func(files map[string]string) string {
		folder := t.TempDir()
		for name, text := range files {
			if err := os.MkdirAll(filepath.Dir(filepath.Join(folder, name)), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return (&Tree{Folder: folder}).Digest([]string{"a.yaml", "b", "gone", "c" + Below})
	}
	base := map[string]string{"a.yaml": "1", "b/x": "1", "c/d/e": "1", "other": "1"}
	with := func(name, text string) map[string]string {
		files := maps.Clone(base)
		files[name] = text
		return files
	}
	for name, isEqual := range map[string]bool{
		"other": true, "new": true, "b/x": true, "b": false, "b/new": true, "a.yaml": false, "gone": false, "gone/x": false,
		"c/d/e": false, "c/d/new": false, "c/new": false,
	} {
		files := with(name, "2")
		if name == "b" {
			delete(files, "b/x")
		}
		if digest(files) == digest(base) != isEqual {
			t.Errorf("%s: got %t", name, !isEqual)
		}
	}
}

func TestTreesWithoutUsersAreRemoved(t *testing.T) {
	cache := newCache(t, 2, func(context.Context, *meta.Artifact, string) error { return nil })
	held, releaseHeld := use(t, cache, "held")
	for i := range 10 {
		_, release := use(t, cache, fmt.Sprint(i))
		release()
	}
	eventually(t, func() bool { return countOf(t, cache.folder) == 3 })
	if _, err := os.Stat(held); err != nil {
		t.Fatal("a tree in use was removed")
	}
	releaseHeld()
	releaseHeld() // once is enough
	eventually(t, func() bool { return countOf(t, cache.folder) == 2 })
}

func TestAFailedFetchIsTriedAgain(t *testing.T) {
	fails := true
	cache := newCache(t, 2, func(context.Context, *meta.Artifact, string) error {
		if fails {
			return errors.New("away")
		}
		return nil
	})
	if _, _, err := cache.Use(t.Context(), artifact("a")); err == nil {
		t.Fatal("expected an error")
	}
	fails = false
	_, release := use(t, cache, "a")
	release()
	eventually(t, func() bool { return countOf(t, cache.folder) == 1 })
}

func TestAShortTimeoutEndsNoFetchOfOthers(t *testing.T) {
	cache := newCache(t, 2, func(ctx context.Context, _ *meta.Artifact, _ string) error {
		select {
		case <-time.After(200 * time.Millisecond):
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	short, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	done := make(chan error)
	go func() {
		_, release, err := cache.Use(short, artifact("a"))
		release()
		done <- err
	}()
	_, release := use(t, cache, "a")
	release()
	if err := <-done; err == nil {
		t.Fatal("the short one should have failed")
	}
}

type entry struct {
	name string
	body string
	kind byte
	link string
}

func archive(t *testing.T, entries ...entry) []byte {
	t.Helper()
	var out bytes.Buffer
	packed := gzip.NewWriter(&out)
	files := tar.NewWriter(packed)
	for _, e := range entries {
		header := &tar.Header{Name: e.name, Size: int64(len(e.body)), Mode: 0o644, Typeflag: e.kind, Linkname: e.link}
		if err := files.WriteHeader(header); err != nil {
			t.Fatal(err)
		}
		if _, err := files.Write([]byte(e.body)); err != nil {
			t.Fatal(err)
		}
	}
	_, _ = files.Close(), packed.Close()
	return out.Bytes()
}

func empty(name string, count int) (all []entry) {
	for i := range count {
		all = append(all, entry{name: fmt.Sprintf(name, i)})
	}
	return all
}

func fetchBytes(t *testing.T, body []byte, digest string) (string, error) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(body) }))
	defer server.Close()
	cache := newCache(t, 1, Fetcher(0, Limits{Bytes: 1 << 20, Files: 1000}))
	tree, _, err := cache.Use(t.Context(), &meta.Artifact{Digest: digest, URL: server.URL + "/a.tar.gz"})
	if err != nil {
		eventually(t, func() bool { return countOf(t, cache.folder) == 0 })
		return "", err
	}
	return tree.Folder, nil
}

func digestOf(body []byte) string { return fmt.Sprintf("sha256:%x", sha256.Sum256(body)) }

func TestFetchUnpacks(t *testing.T) {
	body := archive(t, entry{name: "a/b.yaml", body: "x"}, entry{name: "link", kind: tar.TypeSymlink, link: "/etc/passwd"})
	folder, err := fetchBytes(t, body, digestOf(body))
	if err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(folder, "a/b.yaml")); err != nil || string(text) != "x" {
		t.Fatalf("got %s, %v", text, err)
	}
	if _, err := os.Lstat(filepath.Join(folder, "link")); err == nil {
		t.Fatal("a link was unpacked")
	}
}

func TestAHardLinkBringsNothing(t *testing.T) {
	body := archive(t, entry{name: "hard", kind: tar.TypeLink, link: "/etc/passwd"})
	folder, err := fetchBytes(t, body, digestOf(body))
	if err != nil {
		return
	}
	if text, err := os.ReadFile(filepath.Join(folder, "hard")); err == nil && len(text) > 0 {
		t.Fatalf("got %s", text)
	}
}

func TestFetchRefuses(t *testing.T) {
	for name, body := range map[string][]byte{
		"a name that leads out":        archive(t, entry{name: "../evil", body: "x"}),
		"an absolute name":             archive(t, entry{name: "/tmp/evil", body: "x"}),
		"a pipe":                       archive(t, entry{name: "pipe", kind: tar.TypeFifo}),
		"a million empty files":        archive(t, empty("f%d", 1001)...),
		"a million folders":            archive(t, entry{name: strings.Repeat("d/", 1001) + "f"}),
		"a bomb":                       archive(t, entry{name: "zeros", body: string(make([]byte, 9<<20))}),
		"an archive that is too large": bytes.Repeat([]byte("x"), 2<<20),
	} {
		t.Run(name, func(t *testing.T) {
			folder, err := fetchBytes(t, body, digestOf(body))
			// Flux' own code downloads an archive without a size in its status, and its error has no type.
			if isRefused := errors.As(err, new(*fault.Fault)); err == nil || isRefused == (len(body) > 1<<20) {
				t.Fatalf("got %v, unpacked into %s", err, folder)
			}
		})
	}
	size, most := int64(2<<20), Limits{Bytes: 1 << 20, Files: 1000}
	large := &meta.Artifact{Digest: digestOf(nil), URL: "http://never.asked", Size: &size}
	if err := Fetcher(0, most)(t.Context(), large, t.TempDir()); !errors.As(err, new(*fault.Fault)) {
		t.Fatalf("got %v", err)
	}
	good := archive(t, entry{name: "a", body: "x"})
	if _, err := fetchBytes(t, good, digestOf([]byte("other"))); err == nil || errors.As(err, new(*fault.Fault)) {
		t.Fatalf("another digest: got %v", err)
	}
}

// A few hundred bytes of an archive unzip to names that take seconds to cut, and gigabytes to keep.
func TestLongNamesCostNothing(t *testing.T) {
	long := func(size int) string { return strings.Repeat("d/", size/2) + "f%d" }
	for name, body := range map[string][]byte{
		"a name of 100,000 folders": archive(t, entry{name: long(200_000)}),
		"a long name":               archive(t, empty(strings.Repeat("x", mostName)+"%d", 1)...),
		"many long names":           archive(t, empty(long(1000), 300)...),
	} {
		begun := time.Now()
		err := checkCount(t.Context(), bytes.NewReader(body), Limits{Bytes: 1 << 20, Files: 1000})
		if taken := time.Since(begun); err == nil || taken > 30*time.Second {
			t.Errorf("%s: got %v after %s", name, err, taken)
		}
	}
}

type readerFunc func([]byte) (int, error)

func (read readerFunc) Read(p []byte) (int, error) { return read(p) }

func TestTheCountEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	body := bytes.NewReader(archive(t, empty("f%d", 100)...))
	// All is read at once: what is left to do is in memory.
	err := checkCount(ctx, readerFunc(func(p []byte) (int, error) {
		defer cancel()
		return body.Read(p)
	}), Limits{Bytes: 1 << 20, Files: 1000})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
}

func countOf(t *testing.T, folder string) int {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}

func eventually(t *testing.T, holds func() bool) {
	t.Helper()
	for range 3000 {
		if holds() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("never came true")
}
