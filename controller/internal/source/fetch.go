package source

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/fluxcd/pkg/apis/meta"
	"github.com/fluxcd/pkg/http/fetch"
	fluxtar "github.com/fluxcd/pkg/tar"

	"valuefold.dev/controller/internal/fault"
)

// The size of a source that was unpacked, as a multiple of its archive's: YAML shrinks to less than a quarter.
const unpackedTimes = 8

// Limits of an archive.
type Limits struct {
	// Bytes of the archive.
	Bytes int64
	// Files and folders in it.
	Files int
}

const (
	archiveName = "archive"
	// Sizes of names: no system takes a longer one, and all of them are in memory while they are counted.
	mostName  = 4096
	mostNames = 256 // times the files and folders
)

// Fetcher downloads and unpacks with Flux' own code: it refuses names that lead out of the folder and files that are no
// files, and leaves links out. What is wrong with an archive itself stays so, and another download is in vain: that is a
// fault.
func Fetcher(retries int, most Limits) Fetch {
	fetcher := fetch.New(
		fetch.WithRetries(retries),
		fetch.WithMaxDownloadSize(int(most.Bytes)),
		fetch.WithHostnameOverwrite(os.Getenv("SOURCE_CONTROLLER_LOCALHOST")),
		fetch.WithFileName(archiveName),
	)
	return func(ctx context.Context, artifact *meta.Artifact, folder string) error {
		if artifact.Size != nil && *artifact.Size > most.Bytes {
			return fault.Of("fetch", "the archive has more than %d bytes", most.Bytes)
		}
		download, err := os.MkdirTemp("", "fetch-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(download)
		if err := fetcher.FetchWithContext(ctx, artifact.URL, artifact.Digest, download); err != nil {
			return err
		}
		file, err := os.Open(filepath.Join(download, archiveName))
		if err != nil {
			return err
		}
		defer file.Close()
		err = unpack(ctx, file, folder, most)
		// A file that cannot be written is trouble with the controller's own disk.
		if err == nil || ctx.Err() != nil || errors.As(err, new(*fs.PathError)) {
			return err
		}
		return fault.Of("fetch", "%v", err)
	}
}

// unpack counts first: an archive of a megabyte can have a million empty files.
func unpack(ctx context.Context, file io.ReadSeeker, folder string, most Limits) error {
	archive := cancellable{ctx, file}
	if err := checkCount(ctx, archive, most); err != nil {
		return err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return fluxtar.Untar(archive, folder,
		fluxtar.WithMaxUntarSize(int(most.Bytes)*unpackedTimes), fluxtar.WithSkipSymlinks())
}

func checkCount(ctx context.Context, archive io.Reader, most Limits) error {
	unzipped, err := gzip.NewReader(archive)
	if err != nil {
		return err
	}
	// Headers and padding come on top.
	mostBytes := most.Bytes*unpackedTimes + int64(most.Files)*4096
	// The context is asked at every header: a few bytes of an archive unzip to thousands of them.
	entries := tar.NewReader(io.LimitReader(cancellable{ctx, unzipped}, mostBytes))
	left, seen := most.Files*mostNames, map[string]bool{".": true, "/": true}
	for {
		header, err := entries.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("the archive cannot be read, or has more than %d bytes: %w", mostBytes, err)
		}
		if len(header.Name) > mostName {
			return fmt.Errorf("the archive has a name of more than %d bytes", mostName)
		}
		for name := path.Clean(header.Name); !seen[name]; name = path.Dir(name) {
			seen[name] = true
			if len(seen) > most.Files {
				return fmt.Errorf("the archive has more than %d files and folders", most.Files)
			}
		}
		if left -= len(header.Name); left < 0 {
			return fmt.Errorf("the names in the archive have more than %d bytes", most.Files*mostNames)
		}
	}
}

// cancellable ends the reading of a file with its context.
type cancellable struct {
	context context.Context
	io.Reader
}

func (c cancellable) Read(p []byte) (int, error) {
	if err := c.context.Err(); err != nil {
		return 0, err
	}
	return c.Reader.Read(p)
}
