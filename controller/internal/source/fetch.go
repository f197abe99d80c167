package source

import (
	"context"
	"os"

	"github.com/fluxcd/pkg/apis/meta"
	"github.com/fluxcd/pkg/http/fetch"
	"github.com/fluxcd/pkg/tar"
)

// The size of a source that was unpacked, as a multiple of its archive's: YAML shrinks to less than a quarter.
const unpackedTimes = 8

// Fetcher downloads with Flux' own code: it refuses names that lead out of the folder and files that are no files, and
// leaves links out.
func Fetcher(retries int, mostBytes int64) Fetch {
	fetcher := fetch.New(
		fetch.WithRetries(retries),
		fetch.WithMaxDownloadSize(int(mostBytes)),
		fetch.WithUntar(tar.WithMaxUntarSize(int(mostBytes)*unpackedTimes)),
		fetch.WithHostnameOverwrite(os.Getenv("SOURCE_CONTROLLER_LOCALHOST")),
	)
	return func(ctx context.Context, artifact *meta.Artifact, folder string) error {
		return fetcher.FetchWithContext(ctx, artifact.URL, artifact.Digest, folder)
	}
}
