// A container registry for the tests: go-containerregistry's, in memory, behind a user name and a password, on a
// port of loopback that it tells on stdout. It ends with its stdin, so no test leaves one behind.
package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"

	"github.com/google/go-containerregistry/pkg/registry"
)

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: oci-registry USER PASSWORD")
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(listener.Addr())
	go serve(listener, os.Args[1], os.Args[2])
	io.Copy(io.Discard, os.Stdin)
}

func serve(listener net.Listener, user, password string) {
	images := registry.New(registry.Logger(log.New(io.Discard, "", 0)))
	log.Fatal(http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if u, p, ok := r.BasicAuth(); !ok || u != user || p != password {
			w.Header().Set("WWW-Authenticate", `Basic realm="test"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		images.ServeHTTP(w, r)
	})))
}
