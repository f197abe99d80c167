package store

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/fluxcd/pkg/apis/meta"
	"github.com/fluxcd/pkg/artifact/config"
	"github.com/fluxcd/pkg/artifact/storage"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"valuefold.dev/controller/api/v1alpha1"
)

func newStore(t *testing.T) Store {
	t.Helper()
	stored, err := storage.New(&config.Options{
		StoragePath: t.TempDir(), StorageAddress: ":0", StorageAdvAddress: "store", ArtifactRetentionRecords: 2,
	})
	if err != nil {
		t.Fatal(err)
	}
	return Store{stored}
}

func object() *v1alpha1.FoldedArtifact {
	return &v1alpha1.FoldedArtifact{ObjectMeta: metav1.ObjectMeta{Name: "shop", Namespace: "apps"}}
}

func published(t *testing.T, s Store, o *v1alpha1.FoldedArtifact, text string) meta.Artifact {
	t.Helper()
	artifact, err := s.Archive(o, []byte(text), &meta.Artifact{Revision: "main@sha1:1"}, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	o.Status.Artifact = artifact
	return s.Stored(o, artifact)
}

func TestTheSameTextGivesTheSameArtifact(t *testing.T) {
	first := published(t, newStore(t), object(), "a: 1\n")
	second := published(t, newStore(t), object(), "a: 1\n")
	other := published(t, newStore(t), object(), "a: 2\n")
	if first.Digest != second.Digest || first.Path != second.Path || first.Revision != "latest@"+first.Digest {
		t.Errorf("got %+v and %+v", first, second)
	}
	if other.Digest == first.Digest || other.Path == first.Path {
		t.Errorf("got %+v and %+v", first, other)
	}
	if first.Metadata[RevisionKey] != "main@sha1:1" {
		t.Errorf("got %v", first.Metadata)
	}
}

func TestTheOriginOfASourceIsPassedOn(t *testing.T) {
	source := &meta.Artifact{Revision: "latest@sha256:1", Metadata: map[string]string{RevisionKey: "main@sha1:2"}}
	artifact, err := newStore(t).Archive(object(), []byte("a: 1\n"), source, t.TempDir())
	if err != nil || artifact.OriginRevision != "main@sha1:2" {
		t.Fatalf("got %v, %v", artifact, err)
	}
}

func TestFaultsOfAStoredFile(t *testing.T) {
	s, o := newStore(t), object()
	stored := published(t, s, o, "a: 1\n")
	if !s.Has(o, o.Status.Artifact) {
		t.Fatalf("got %+v", stored)
	}
	path := s.Storage.LocalPath(stored)
	if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if s.Has(o, o.Status.Artifact) || s.Storage.ArtifactExist(stored) || s.Has(o, o.Status.Artifact) {
		t.Fatal("expected a corrupted file, which is then removed")
	}
}

func TestUnpack(t *testing.T) {
	s, o := newStore(t), object()
	published(t, s, o, "a: 1\n")
	text, err := os.ReadFile(s.Unpack(s.Stored(o, o.Status.Artifact), filepath.Join(t.TempDir(), "previous")))
	if err != nil || string(text) != "a: 1\n" {
		t.Fatalf("got %s, %v", text, err)
	}
}

func TestOldFilesAreCollected(t *testing.T) {
	s, o := newStore(t), object()
	var last meta.Artifact
	for _, text := range []string{"a: 1\n", "a: 2\n", "a: 3\n", "a: 4\n"} {
		last = published(t, s, o, text)
		if err := s.Collect(t.Context(), last); err != nil {
			t.Fatal(err)
		}
	}
	files, err := filepath.Glob(filepath.Join(filepath.Dir(s.Storage.LocalPath(last)), "*.tar.gz"))
	if err != nil || len(files) > 2 || !s.Storage.ArtifactExist(last) {
		t.Fatalf("got %v, %v", files, err)
	}
	if err := s.RemoveAll(o); err != nil || s.Storage.ArtifactExist(last) {
		t.Fatalf("not removed: %v", err)
	}
}

func TestTheServerGivesExactPathsOnly(t *testing.T) {
	s, o := newStore(t), object()
	artifact := published(t, s, o, "a: 1\n")
	outside := filepath.Join(filepath.Dir(s.Storage.BasePath), "outside.tar.gz")
	if err := os.WriteFile(outside, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(s.Storage.BasePath, "link.tar.gz")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(s.Storage.BasePath, "folder.tar.gz"), 0o700); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(s.Storage.BasePath)
	if err != nil {
		t.Fatal(err)
	}
	handler := Handler(root)
	get := func(method, path string) *httptest.ResponseRecorder {
		answer := httptest.NewRecorder()
		request := httptest.NewRequest(method, "/", nil)
		request.URL.Path = path
		handler.ServeHTTP(answer, request)
		return answer
	}
	if answer := get(http.MethodGet, "/"+artifact.Path); answer.Code != http.StatusOK || answer.Body.Len() == 0 {
		t.Errorf("got %d", answer.Code)
	}
	if answer := get(http.MethodGet, "/"); answer.Code != http.StatusOK || answer.Body.Len() != 0 {
		t.Errorf("the probe got %d, %s", answer.Code, answer.Body)
	}
	for _, path := range []string{"/externalartifact", "/externalartifact/", "/" + artifact.Path + ".lock",
		"/../outside.tar.gz", "/link.tar.gz", "/folder.tar.gz", "/" + artifact.Path + "/", "//etc/passwd"} {
		if answer := get(http.MethodGet, path); answer.Code != http.StatusNotFound {
			t.Errorf("%s: got %d", path, answer.Code)
		}
	}
	if answer := get(http.MethodDelete, "/"+artifact.Path); answer.Code != http.StatusMethodNotAllowed {
		t.Errorf("got %d", answer.Code)
	}
}
