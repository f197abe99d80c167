package build

import (
	"maps"
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
	"valuefold.dev/controller/internal/fault"
	"valuefold.dev/controller/internal/source"
)

// The test program is the child, too.
func TestMain(m *testing.M) {
	child.BecomeLimited(os.Args)
	if len(os.Args) > 1 && os.Args[1] == Word {
		os.Exit(Main(os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

func builder(t *testing.T) *Builder {
	t.Helper()
	return NewBuilder(1<<20, 512<<20)
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
			text, _, err := builder(t).Build(t.Context(), root, ".", false)
			if err != nil || !strings.Contains(string(text), "kind: ConfigMap") {
				t.Fatalf("got %s, %v", text, err)
			}
		})
	}
}

func TestBuildWritesNothingIntoTheSource(t *testing.T) {
	root := write(t, map[string]string{"c.yaml": configMap})
	if _, _, err := builder(t).Build(t.Context(), root, ".", true); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(root)
	if err != nil || len(entries) != 1 {
		t.Fatalf("got %v, %v", entries, err)
	}
}

func TestBuildGivesOrigins(t *testing.T) {
	root := write(t, kustomization("resources: [c.yaml]\n"))
	text, _, err := builder(t).Build(t.Context(), root, ".", true)
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
			text, _, err := builder(t).Build(t.Context(), root, ".", false)
			if err == nil {
				t.Fatalf("built: %s", text)
			}
			if _, is := err.(*fault.Fault); !is {
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

// The rights of the controller and the admission policy follow it.
func TestTheControllerMayBeInAnyNamespace(t *testing.T) {
	root := t.TempDir()
	if err := os.CopyFS(filepath.Join(root, "config"), os.DirFS("../../config")); err != nil {
		t.Fatal(err)
	}
	overlay := "namespace: gitops\nresources: [config]\n"
	if err := os.WriteFile(filepath.Join(root, "kustomization.yaml"), []byte(overlay), 0o600); err != nil {
		t.Fatal(err)
	}
	text, _, err := builder(t).Build(t.Context(), root, ".", false)
	if err != nil || strings.Contains(string(text), "flux-system") || strings.Count(string(text), "namespace: gitops") < 7 {
		t.Fatalf("got %s, %v", text, err)
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
	b.children.MostMemory = 256 << 20
	_, _, err := b.Build(ctx, root, ".", false)
	if err == nil || ctx.Err() != nil {
		t.Fatalf("got %v, %v", err, ctx.Err())
	}
}

func TestBuildBoundsOutput(t *testing.T) {
	root := write(t, kustomization("resources: [c.yaml]\n"))
	b := builder(t)
	b.children.MostOutput = 10
	if _, _, err := b.Build(t.Context(), root, ".", false); err == nil {
		t.Fatal("expected an error")
	}
}

const plainSecret = "apiVersion: v1\nkind: Secret\nmetadata: {name: db}\nstringData: {password: hunter2-in-the-manifest}\n"

// kustomize quotes what it refuses, and what it says ends in a status.
func TestAFaultQuotesNoSecret(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"a patch in the kustomization": {"s.yaml": plainSecret, "kustomization.yaml": "resources: [s.yaml]\npatches:\n- target: {kind: Secret, name: db}\n  patch: |\n    stringData:\n      password: hunter2-in-a-patch\n"},
		"a patch in a file":            {"s.yaml": plainSecret, "p.yaml": "stringData:\n  password: hunter2\n", "kustomization.yaml": "resources: [s.yaml]\npatches: [{target: {name: db}, path: p.yaml}]\n"},
		"a manifest":                   {"s.yaml": "kind: Secret\nstringData:\n  password: hunter2\n", "kustomization.yaml": "resources: [s.yaml]\n"},
		"broken YAML":                  {"s.yaml": "kind: Secret\nstringData: hunter2: [\n", "kustomization.yaml": "resources: [s.yaml]\n"},
		"a folder of manifests":        {"s.yaml": "kind: Secret\nstringData: hunter2: [\n"},
		"a base":                       {"kustomization.yaml": "resources: [base]\n", "base/kustomization.yaml": "secretGenerator: [{name: a, literals: [hunter2]}]\n"},
		"an env file":                  {"kustomization.yaml": "secretGenerator: [{name: a, envs: [a.env]}]\n", "a.env": "hunter2 = x y\n9=hunter2\n"},
		"a broken kustomization":       {"kustomization.yaml": "secretGenerator: [{name: a, literals: hunter2}]\n"},
	} {
		t.Run(name, func(t *testing.T) {
			root := write(t, files)
			_, _, err := builder(t).Build(t.Context(), root, ".", false)
			if err == nil || strings.Contains(err.Error(), "hunter2") || !strings.Contains(err.Error(), "may quote a Secret") {
				t.Fatalf("got %v", err)
			}
		})
	}
	root := write(t, kustomization("resources: [c.yaml]\npatches: [{target: {kind: ConfigMap}, patch: 'data: shown'}]\n"))
	if _, _, err := builder(t).Build(t.Context(), root, ".", false); err == nil || !strings.Contains(err.Error(), "shown") {
		t.Errorf("without a Secret: got %v", err)
	}
	root = write(t, map[string]string{"a/s.yaml": plainSecret, "kustomization.yaml": "resources: [gone.yaml]\n"})
	if _, _, err := builder(t).Build(t.Context(), root, ".", false); err == nil || !strings.Contains(err.Error(), "gone.yaml") {
		t.Errorf("a Secret elsewhere: got %v", err)
	}
}

// A change of anything that was looked for may change the build, and so may what was looked for in vain.
func TestWhatWasReadIsNoted(t *testing.T) {
	base := map[string]string{
		"app/kustomization.yaml": "resources: [../base]\nconfigMapGenerator: [{name: g, files: [a.txt]}]\n", "app/a.txt": "a",
		"base/kustomization.yaml": "resources: [c.yaml]\ncomponents: [../part]\n", "base/c.yaml": configMap,
		"part/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nnamePrefix: x-\n",
		"other/x.yaml":            configMap, "plain/deep/c.yaml": configMap, "plain/deep/x.txt": "x",
	}
	for name, folders := range map[string]string{
		"app/kustomization.yaml": "app", "app/kustomization.yml": "app", "app/a.txt": "app", "base/c.yaml": "app",
		"part/kustomization.yaml": "app", "other/x.yaml": "", "plain/deep/c.yaml": "plain", "plain/kustomization.yaml": "plain",
		"plain/new.yaml": "plain", "plain/deep/more/new.yaml": "plain", "other/new.yaml": "",
	} {
		for _, folder := range []string{"app", "plain"} {
			root := write(t, base)
			_, read, err := builder(t).Build(t.Context(), root, folder, false)
			if err != nil {
				t.Fatal(err)
			}
			files := maps.Clone(base)
			files[name] = "# " + files[name]
			before, after := (&source.Tree{Folder: root}).Digest(read), (&source.Tree{Folder: write(t, files)}).Digest(read)
			if (before != after) != (folder == folders) {
				t.Errorf("a change of %s: %s has read %q", name, folder, read)
			}
		}
	}
}

// One child builds for one tenant after another.
func TestNothingOfABuildIsLeftForTheNext(t *testing.T) {
	merged := map[string]string{
		"kustomization.yaml": "resources: [d.yaml]\npatches: [path: p.yaml]\n",
		"d.yaml":             "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\nspec: {template: {spec: {containers: [{name: a, image: a}]}}}\n",
		"p.yaml":             "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\nspec: {template: {spec: {containers: [{name: b, image: b}]}}}\n",
	}
	schema := maps.Clone(merged)
	schema["kustomization.yaml"] += "openapi: {path: canary.json}\n"
	schema["canary.json"] = `{"definitions": {"io.k8s.api.apps.v1.Deployment": {"type": "object", "description": "canary",
		"x-kubernetes-group-version-kind": [{"group": "apps", "version": "v1", "kind": "Deployment"}]}}}`
	version := maps.Clone(merged)
	version["kustomization.yaml"] += "openapi: {version: v1.20.4}\n"
	broken := maps.Clone(schema)
	broken["canary.json"] = "canary"
	root, b := write(t, merged), builder(t)
	fresh, _, err := b.Build(t.Context(), root, ".", false)
	if err != nil {
		t.Fatal(err)
	}
	for name, files := range map[string]map[string]string{"a schema": schema, "a version": version, "a broken schema": broken} {
		text, _, err := b.Build(t.Context(), write(t, files), ".", false)
		if string(text) == string(fresh) && name == "a schema" {
			t.Errorf("%s has no effect: the test tests nothing (%v)", name, err)
		}
		if after, _, err := b.Build(t.Context(), root, ".", false); err != nil || string(after) != string(fresh) {
			t.Errorf("after %s: got %s, %v", name, after, err)
		}
	}
}
