package store

import (
	"net/http"
	"os"
	"strings"
)

// Handler serves artifacts by their exact path; `/` answers the readiness probe. It lists nothing.
func Handler(root *os.Root) http.Handler {
	files := http.FileServerFS(root.FS())
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := strings.TrimPrefix(r.URL.Path, "/")
		if path == "" {
			return
		}
		info, err := root.Stat(path)
		switch {
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			w.WriteHeader(http.StatusMethodNotAllowed)
		case !strings.HasSuffix(path, ".tar.gz") || err != nil || !info.Mode().IsRegular():
			http.NotFound(w, r)
		default:
			files.ServeHTTP(w, r)
		}
	})
}
