package build

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"context"

	"valuefold.dev/controller/internal/child"
)

// The test program is the child, too.
func TestMain(m *testing.M) {
	child.BecomeLimited(os.Args)
	if len(os.Args) > 1 && os.Args[1] == Word {
		os.Exit(Main(os.Args[2:], os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

func builder(t *testing.T) Builder {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Builder{Program: program, MostOutput: 1 << 20, MostMemory: 512 << 20}
}

const configMap = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {a: b}\n"

func write(t *testing.T, files map[string]string) string {
	t.Helper()
	root := filepath.Join(t.TempDir(), "source")
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func kustomization(text string) map[string]string {
	return map[string]string{"kustomization.yaml": text, "c.yaml": configMap}
}

func TestBuild(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"a kustomization":           kustomization("resources: [c.yaml]\n"),
		"a folder of manifests":     {"c.yaml": configMap},
		"a base beside the folder":  {"kustomization.yaml": "resources: [base]\n", "base/kustomization.yaml": "resources: [c.yaml]\n", "base/c.yaml": configMap},
		"a generator of file names": {"kustomization.yaml": "configMapGenerator: [{name: c, files: [a.txt]}]\n", "a.txt": "b"},
	} {
		t.Run(name, func(t *testing.T) {
			root := write(t, files)
			text, err := builder(t).Build(t.Context(), root, root, t.TempDir(), false)
			if err != nil || !strings.Contains(string(text), "kind: ConfigMap") {
				t.Fatalf("got %s, %v", text, err)
			}
		})
	}
}

func TestBuildWritesNothingIntoTheSource(t *testing.T) {
	root := write(t, map[string]string{"c.yaml": configMap})
	if _, err := builder(t).Build(t.Context(), root, root, t.TempDir(), true); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(root)
	if err != nil || len(entries) != 1 {
		t.Fatalf("got %v, %v", entries, err)
	}
}

func TestBuildGivesOrigins(t *testing.T) {
	root := write(t, kustomization("resources: [c.yaml]\n"))
	text, err := builder(t).Build(t.Context(), root, root, t.TempDir(), true)
	if err != nil || !strings.Contains(string(text), "config.kubernetes.io/origin") {
		t.Fatalf("got %s, %v", text, err)
	}
}

// Each of these reads, runs or fetches what is not in the source.
func TestBuildRefuses(t *testing.T) {
	var fetched atomic.Bool
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fetched.Store(true)
		_, _ = w.Write([]byte(configMap))
	}))
	defer server.Close()
	marker := filepath.Join(t.TempDir(), "ran")
	function := "apiVersion: x/v1\nkind: X\nmetadata: {name: x, annotations: {config.kubernetes.io/function: 'exec: {path: /bin/touch, args: [" + marker + "]}'}}\n"
	for name, files := range map[string]map[string]string{
		"a generator of /etc/passwd":  kustomization("configMapGenerator: [{name: x, files: [/etc/passwd]}]\n"),
		"a generator of ../..":        kustomization("configMapGenerator: [{name: x, files: [../../../../../../../etc/passwd]}]\n"),
		"an env file":                 kustomization("configMapGenerator: [{name: x, envs: [/etc/passwd]}]\n"),
		"a resource of another place": kustomization("resources: [/etc]\n"),
		"a patch of another place":    kustomization("resources: [c.yaml]\npatches: [{path: ../../../etc/passwd, target: {kind: ConfigMap}}]\n"),
		"a remote file":               kustomization("resources: ['" + server.URL + "/x.yaml']\n"),
		"a remote base":               kustomization("resources: ['git::" + server.URL + "/x.git//a?ref=main']\n"),
		"a remote openapi":            kustomization("resources: [c.yaml]\nopenapi: {path: '" + server.URL + "/o.json'}\n"),
		"a remote transformer":        kustomization("resources: [c.yaml]\ntransformers: ['" + server.URL + "/t.yaml']\n"),
		"a program":                   {"kustomization.yaml": "resources: [c.yaml]\ntransformers: [f.yaml]\n", "c.yaml": configMap, "f.yaml": function},
		"a chart":                     kustomization("helmCharts: [{name: x, repo: '" + server.URL + "'}]\n"),
	} {
		t.Run(name, func(t *testing.T) {
			root := write(t, files)
			text, err := builder(t).Build(t.Context(), root, root, t.TempDir(), false)
			if err == nil {
				t.Fatalf("built: %s", text)
			}
			if _, is := err.(*Error); !is {
				t.Fatalf("not an error of the source: %v", err)
			}
		})
	}
	if fetched.Load() {
		t.Error("the build fetched something")
	}
	if _, err := os.Stat(marker); err == nil {
		t.Error("the build ran a program")
	}
}

func aliasBomb() string {
	var text strings.Builder
	text.WriteString("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\nx0: &x0 [a,a,a,a,a,a,a,a,a,a]\n")
	for i := 1; i < 9; i++ {
		alias := "*x" + string(rune('0'+i-1))
		text.WriteString("x" + string(rune('0'+i)) + ": &x" + string(rune('0'+i)) + " [" +
			strings.Repeat(alias+",", 9) + alias + "]\n")
	}
	return text.String()
}

func TestBuildBoundsMemory(t *testing.T) {
	files := kustomization("resources: [c.yaml, b.yaml]\n")
	files["b.yaml"] = aliasBomb()
	root := write(t, files)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	b := builder(t)
	b.MostMemory = 256 << 20
	_, err := b.Build(ctx, root, root, t.TempDir(), false)
	if err == nil || ctx.Err() != nil {
		t.Fatalf("got %v, %v", err, ctx.Err())
	}
}

func TestBuildBoundsOutput(t *testing.T) {
	root := write(t, kustomization("resources: [c.yaml]\n"))
	b := builder(t)
	b.MostOutput = 10
	if _, err := b.Build(t.Context(), root, root, t.TempDir(), false); err == nil {
		t.Fatal("expected an error")
	}
}
