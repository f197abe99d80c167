package fold

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"valuefold.dev/controller/api/v1alpha1"
	"valuefold.dev/controller/internal/build"
	"valuefold.dev/controller/internal/child"
	"valuefold.dev/controller/internal/program"
)

// The test program is the child that builds, too. The valuefold program is the one that `npm run build` made.
func TestMain(m *testing.M) {
	child.BecomeLimited(os.Args)
	if len(os.Args) > 1 && os.Args[1] == build.Word {
		os.Exit(build.Main(os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

func folder(t *testing.T) Folder {
	t.Helper()
	path, err := filepath.Abs("../../../dist/valuefold.cjs")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Fatal("the tests need the program: npm run build")
	}
	return Folder{
		Builder: build.NewBuilder(1<<20, 512<<20),
		Program: program.New(path, os.Getenv("PATH"), 1<<20, 512<<20),
	}
}

func folded(t *testing.T, files map[string]string, spec v1alpha1.FoldedArtifactSpec) Result {
	t.Helper()
	source := t.TempDir()
	for name, text := range files {
		path := filepath.Join(source, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	result, err := folder(t).Run(t.Context(), Request{
		Spec: spec, Name: "shop", Namespace: "apps", Source: source, Work: t.TempDir(),
	})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

var shop = map[string]string{
	"shop/kustomization.yaml": `resources: [target.yaml]
namePrefix: pre-
configMapGenerator:
  - name: sho
    files: [values.yaml=other.yaml]
  - name: shop-prod
    files: [values.yaml=prod.yaml]
    options: {annotations: {valuefold.dev/into: ConfigMap/pre-shop}}
`,
	"shop/target.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: shop}\ndata: {values.yaml: \"a: 1\\n\"}\n",
	"shop/other.yaml":  "x: 1\n",
	"shop/prod.yaml":   "a: 2\n",
}

func with(files map[string]string, name, text string) map[string]string {
	changed := map[string]string{name: text}
	for each, content := range files {
		if each != name {
			changed[each] = content
		}
	}
	return changed
}

func built(path string) v1alpha1.FoldedArtifactSpec {
	return v1alpha1.FoldedArtifactSpec{Build: &v1alpha1.Build{Path: path}}
}

func TestABuildIsFolded(t *testing.T) {
	spec := built("./shop")
	spec.Verify = &v1alpha1.Verify{Strict: true}
	result := folded(t, shop, spec)
	if len(result.Failures) > 0 || result.Items != 2 || !strings.Contains(string(result.Text), "a: 2") {
		t.Fatalf("got %+v\n%s", result, result.Text)
	}
}

func TestAFaultNamesTheFileThatAGeneratorRead(t *testing.T) {
	result := folded(t, with(shop, "shop/prod.yaml", "a: 1\n- b\n"), built("shop/"))
	if len(result.Failures) != 1 || !strings.HasSuffix(result.Failures[0].At, " in shop/prod.yaml:2:1") || result.Text != nil {
		t.Fatalf("got %+v", result.Failures)
	}
}

func TestAFaultNamesTheFileOfAResource(t *testing.T) {
	files := with(shop, "shop/more.yaml", `apiVersion: v1
kind: ConfigMap
metadata: {name: more, annotations: {valuefold.dev/into: ConfigMap/shop}}
data: {values.yaml: "- b\n"}
`)
	files = with(files, "shop/kustomization.yaml", "resources: [target.yaml, more.yaml]\n")
	result := folded(t, files, built("shop"))
	if len(result.Failures) != 1 || !strings.HasSuffix(result.Failures[0].At, " in shop/more.yaml") {
		t.Fatalf("got %+v", result.Failures)
	}
}

func TestNothingIsNotPublished(t *testing.T) {
	files := map[string]string{"kustomization.yaml": "resources: []\n"}
	if result := folded(t, files, built(".")); len(result.Failures) != 1 || result.Text != nil {
		t.Fatalf("got %+v\n%s", result, result.Text)
	}
}

// kustomize prints addresses in this message: each retry would be a new fault.
func TestTheSameFaultHasTheSameMessage(t *testing.T) {
	files := with(shop, "shop/kustomization.yaml", "resources: [target.yaml]\nconfigMapGenerator: [{name: shop}]\n")
	first, second := folded(t, files, built("shop")), folded(t, files, built("shop"))
	if len(first.Failures) != 1 || first.Failures[0] != second.Failures[0] {
		t.Fatalf("got %+v and %+v", first.Failures, second.Failures)
	}
}

func settings(text string) *v1alpha1.Settings {
	return &v1alpha1.Settings{Settings: &apiextensionsv1.JSON{Raw: []byte(text)}}
}

func TestSettingsOfAFold(t *testing.T) {
	files := with(shop, "fold.yaml", "apiVersion: valuefold.dev/v1alpha1\nkind: ValueFold\nmetadata: {name: f}\nspec: {targets: [{kind: App}]}\n")
	for name, given := range map[string]*v1alpha1.Settings{
		"in a file":     {Path: "fold.yaml"},
		"in the object": settings(`{"targets": [{"kind": "App"}]}`),
	} {
		t.Run(name, func(t *testing.T) {
			spec := built("shop")
			spec.Fold = given
			// No App is here, so the layer for the ConfigMap is not folded.
			if result := folded(t, files, spec); result.Items != 3 {
				t.Fatalf("the settings were not read: %d\n%s", result.Items, result.Text)
			}
		})
	}
}

func TestSettingsThatAreRefused(t *testing.T) {
	head := "apiVersion: valuefold.dev/v1alpha1\nkind: ValueFold\nmetadata: {name: f}\n"
	for name, text := range map[string]string{
		"keys":                 head + "spec: {sops: {keys: /etc}}\n",
		"plain text":           head + "spec: {sops: {allowPlaintext: true}}\n",
		"keys by an alias":     head + "x: &x {keys: /etc}\nspec: {sops: *x}\n",
		"keys by a merge":      head + "x: &x {keys: /etc}\nspec: {sops: {<<: *x}}\n",
		"a second document":    head + "spec: {}\n---\n" + head + "spec: {sops: {keys: /etc}}\n",
		"a bare document":      head + "spec: {}\n...\n" + head + "spec: {sops: {keys: /etc}}\n",
		"a key that is twice":  head + "spec: {sops: {}, sops: {keys: /etc}}\n",
		"flat settings":        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: f}\ndata: {sops.allowPlaintext: 'true'}\n",
		"settings of a render": "apiVersion: valuefold.dev/v1alpha1\nkind: ValueFoldRender\nmetadata: {name: f}\nspec: {}\n",
		"no YAML":              "a: [\n",
		"a number as a key":    head + "spec: {sops: {1: a, keys: /etc}}\n",
		"an escaped key":       head + "spec: {sops: {\"ke\\u0079s\": /etc}}\n",
		"sops without keys":    head + "spec: {sops: {}}\n",
		"a key that is a list": head + "spec: {? [a] : b}\n",
		"an endless alias":     head + "spec: &a {layers: *a}\n",
		"many aliases":         head + "a: &a [1, 2]\nb: &b [*a, *a]\n" + manyAliases("b", 30) + "spec: {}\n",
		"a text many times":    head + "a: &a " + strings.Repeat("x", 1<<19) + "\nb: [" + strings.Repeat("*a, ", 1<<13) + "]\nspec: {}\n",
		"a file of a megabyte": head + "# " + strings.Repeat("x", 1<<20),
	} {
		t.Run(name, func(t *testing.T) {
			spec := built("shop")
			spec.Fold = &v1alpha1.Settings{Path: "fold.yaml"}
			result := folded(t, with(shop, "fold.yaml", text), spec)
			if len(result.Failures) != 1 || result.Failures[0].Step != "fold" || result.Failures[0].Code != "" {
				t.Fatalf("got %+v\n%s", result.Failures, result.Text)
			}
		})
	}
}

func manyAliases(first string, count int) (text string) {
	for range count {
		text += fmt.Sprintf("%[1]sx: &%[1]sx [*%[1]s, *%[1]s]\n", first)
		first += "x"
	}
	return text
}

func schemaIn(file string) string {
	return `{"schemas": [{"targets": [{"kind": "ConfigMap", "name": "pre-shop"}], "key": "values.yaml", "file": "` + file + `"}]}`
}

func TestASchemaOfTheSource(t *testing.T) {
	files := with(shop, "schemas/shop.yaml", "required: [size]\n")
	files["settings/fold.yaml"] = "apiVersion: valuefold.dev/v1alpha1\nkind: ValueFold\nmetadata: {name: f}\nspec: " + schemaIn("../schemas/shop.yaml")
	for name, given := range map[string]*v1alpha1.Settings{
		"of a file":       {Path: "settings/fold.yaml"},
		"of the object":   settings(schemaIn("schemas/shop.yaml")),
		"by a longer way": settings(schemaIn("./schemas/../schemas/shop.yaml")),
	} {
		t.Run(name, func(t *testing.T) {
			spec := built("shop")
			spec.Fold = given
			result := folded(t, files, spec)
			if len(result.Failures) != 1 || !strings.Contains(result.Failures[0].Message, "the schema requires it") {
				t.Fatalf("got %+v", result)
			}
		})
	}
}

// Key names of such a file, or whether it exists, would be in the status.
func TestASchemaOutsideOfTheSourceIsNotRead(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "schema.yaml")
	if err := os.WriteFile(outside, []byte("required: [key-of-another-tenant]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	up := strings.Repeat("../", 20)
	head := "apiVersion: valuefold.dev/v1alpha1\nkind: ValueFold\nmetadata: {name: f}\n"
	for name, text := range map[string]string{
		"by its path":            head + "spec: " + schemaIn(outside),
		"by the way up":          head + "spec: " + schemaIn(up+outside),
		"that does not exist":    head + "spec: " + schemaIn("/no/such/file"),
		"by an alias":            head + "x: &x '" + outside + "'\nspec: {schemas: [{targets: [{kind: ConfigMap}], key: values.yaml, file: *x}]}\n",
		"by a merge":             head + "x: &x {file: " + outside + "}\nspec: {schemas: [{targets: [{kind: ConfigMap}], key: values.yaml, <<: *x}]}\n",
		"by an escape":           head + "spec: {schemas: [{targets: [{kind: ConfigMap}], key: values.yaml, \"fi\\u006ce\": " + outside + "}]}\n",
		"in another line's text": head + "spec:\n  schemas: #\u2028 |\n  - targets: [{kind: ConfigMap}]\n    key: values.yaml\n    file: " + outside + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			for _, given := range []*v1alpha1.Settings{{Path: "fold.yaml"}, {Path: "deep/fold.yaml"}} {
				spec := built("shop")
				spec.Fold = given
				result := folded(t, with(shop, given.Path, text), spec)
				if len(result.Failures) != 1 || strings.Contains(fmt.Sprint(result.Failures), "key-of-another-tenant") ||
					strings.Contains(fmt.Sprint(result.Failures), "does not exist") {
					t.Errorf("got %+v", result)
				}
			}
		})
	}
}

func TestAFaultOfSettingsNamesTheirFile(t *testing.T) {
	text := "apiVersion: valuefold.dev/v1alpha1\nkind: ValueFold\nmetadata: {name: f}\nspec: {layrs: prune}\n"
	spec := built("shop")
	spec.Fold = &v1alpha1.Settings{Path: "deep/fold.yaml"}
	result := folded(t, with(shop, "deep/fold.yaml", text), spec)
	if len(result.Failures) != 1 || result.Failures[0].At != "deep/fold.yaml" {
		t.Fatalf("got %+v", result.Failures)
	}
}

func TestPathsThatLeadOutAreRefused(t *testing.T) {
	if result := folded(t, shop, built("../../../etc")); len(result.Failures) != 1 {
		t.Fatalf("got %+v", result)
	}
	for _, path := range []string{"../../../../etc/passwd", "/etc/passwd", "shop"} {
		spec := built("shop")
		spec.Fold = &v1alpha1.Settings{Path: path}
		if result := folded(t, shop, spec); len(result.Failures) != 1 || strings.Contains(result.Failures[0].Message, "root:") {
			t.Fatalf("%s: got %+v", path, result)
		}
	}
}
