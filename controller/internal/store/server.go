package store

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Server serves the store. It runs on the leader alone, since only the leader's files are those of the status.
type Server struct {
	Address string
	Folder  string
}

// NeedLeaderElection is for the manager.
func (Server) NeedLeaderElection() bool { return true }

// Start serves until the context ends.
func (s Server) Start(ctx context.Context) error {
	root, err := os.OpenRoot(s.Folder)
	if err != nil {
		return err
	}
	defer root.Close()
	server := &http.Server{Addr: s.Address, Handler: Handler(root), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: time.Minute}
	context.AfterFunc(ctx, func() { _ = server.Close() })
	if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// Handler serves artifacts by their exact path; `/` answers the readiness probe. It lists nothing.
func Handler(root *os.Root) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := strings.TrimPrefix(r.URL.Path, "/")
		if path == "" {
			return
		}
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		if !strings.HasSuffix(path, ".tar.gz") || !serve(root, path, w, r) {
			http.NotFound(w, r)
		}
	})
}

func serve(root *os.Root, path string, w http.ResponseWriter, r *http.Request) bool {
	file, err := root.Open(filepath.FromSlash(path))
	if err != nil {
		return false
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	w.Header().Set("Content-Type", "application/gzip")
	http.ServeContent(w, r, "", info.ModTime(), file)
	return true
}
