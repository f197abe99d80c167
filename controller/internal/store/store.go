// Package store keeps the files that are published, and serves them.
package store

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/fluxcd/pkg/apis/meta"
	"github.com/fluxcd/pkg/artifact/storage"
	"github.com/fluxcd/pkg/tar"
	sourcev1 "github.com/fluxcd/source-controller/api/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"valuefold.dev/controller/api/v1alpha1"
)

// RevisionKey is the metadata of an artifact that names the revision it was made from.
const RevisionKey = "org.opencontainers.image.revision"

// File is the only file of an artifact.
const File = "folded.yaml"

// Store of artifacts.
type Store struct{ Storage *storage.Storage }

// Archive writes what is published. The same text gives the same file and digest.
func (s Store) Archive(o metav1.Object, text []byte, source *meta.Artifact, work string) (*v1alpha1.PublishedArtifact, error) {
	out := filepath.Join(work, "out")
	if err := os.MkdirAll(out, 0o700); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(out, File), text, 0o600); err != nil {
		return nil, err
	}
	sum := sha256.Sum256(text)
	file := fmt.Sprintf("%x.tar.gz", sum[:16])
	artifact := s.Storage.NewArtifactFor(sourcev1.ExternalArtifactKind, o, "", file)
	if err := s.Storage.MkdirAll(artifact); err != nil {
		return nil, err
	}
	unlock, err := s.Storage.Lock(artifact)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if err := s.Storage.Archive(&artifact, out, nil); err != nil {
		return nil, err
	}
	return &v1alpha1.PublishedArtifact{
		// A revision of the content: what did not change is not applied again.
		Digest: artifact.Digest, Revision: "latest@" + artifact.Digest, OriginRevision: OriginOf(source),
		Size: *artifact.Size, File: file,
	}, nil
}

// OriginOf is the revision that a source was made from, or its own.
func OriginOf(source *meta.Artifact) string {
	if revision := source.Metadata[RevisionKey]; revision != "" {
		return revision
	}
	return source.Revision
}

// Stored is what Flux is told of an artifact.
func (s Store) Stored(o metav1.Object, published *v1alpha1.PublishedArtifact) meta.Artifact {
	artifact := s.Storage.NewArtifactFor(sourcev1.ExternalArtifactKind, o, published.Revision, published.File)
	artifact.Digest, artifact.Size = published.Digest, &published.Size
	artifact.Metadata = map[string]string{RevisionKey: published.OriginRevision}
	return artifact
}

// Has is false if a file is missing, or has another content: then it is removed.
func (s Store) Has(o metav1.Object, published *v1alpha1.PublishedArtifact) bool {
	if published == nil {
		return false
	}
	artifact := s.Stored(o, published)
	err := s.Storage.VerifyArtifact(artifact)
	if err != nil {
		_ = s.Storage.Remove(artifact)
	}
	return err == nil
}

// Unpack gives the file of a stored artifact; it is empty if there is none.
func (s Store) Unpack(artifact meta.Artifact, folder string) string {
	file, err := os.Open(s.Storage.LocalPath(artifact))
	if err != nil {
		return ""
	}
	defer file.Close()
	if tar.Untar(file, folder) != nil {
		return ""
	}
	return filepath.Join(folder, File)
}

// Collect removes older artifacts of the same object.
func (s Store) Collect(ctx context.Context, artifact meta.Artifact) error {
	_, err := s.Storage.GarbageCollect(ctx, artifact, time.Minute)
	return err
}

// RemoveAll removes all artifacts of an object.
func (s Store) RemoveAll(o metav1.Object) error {
	_, err := s.Storage.RemoveAll(s.Storage.NewArtifactFor(sourcev1.ExternalArtifactKind, o, "", "*"))
	return err
}
