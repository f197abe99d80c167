// What the engine changes in modules of others, and why. Each change applies exactly once, or nothing is built: a new version of
// a module stops here, and not in a result.

/** A text, or the range from one text up to another, is replaced; or a file is removed. */
export type Change = { readonly file: string; readonly why: string } & (
  | { readonly old: string; readonly new: string }
  | { readonly from: string; readonly upTo?: string; readonly new: string }
  | { readonly remove: true }
);

export interface ChangedModule {
  readonly module: string;
  readonly version: string;
  /** As go.sum writes it. */
  readonly sum: string;
  /** The folders and files that are copied; all if none are named. */
  readonly parts?: readonly string[];
  readonly changes: readonly Change[];
}

const noProgram = "no program is started";
const noNetwork = "nothing is fetched";
const noCluster = "no cluster is asked, and the packages that do make two thirds of the engine";
const noProtobuf = "a decoder of protocol buffers that only the schema needs";
const repeatable = "a chart renders alike every time: no clock, no random numbers";
const noTesting = "code of tests";
const asJson = "JSON is read as JSON where YAML reads the same in it";
const quickly =
  "the same answer: a comparison of all fields makes copies, and is asked for each key of a patch";

/** Imports a package of the same name that refuses. */
const refused = (file: string, name: string, why: string): Change => ({
  file,
  why,
  old: `"${name}"`,
  new: `"valuefold.dev/engine/refused/${name.replace(/^.*\//, "")}"`,
});

/** What Helm's list of API versions is without a cluster: Helm makes it of the packages that are left out. */
const versionSet = (apis: string): string =>
  `\treturn VersionSet{\n${apis
    .trim()
    .split(/\s+/)
    .map((api) => `\t\t"${api}",\n`)
    .join("")}\t}\n}\n\n`;

// As `helm template` prints .Capabilities.APIVersions, in its order.
const apis4 = `v1 admissionregistration.k8s.io/v1 admissionregistration.k8s.io/v1alpha1 admissionregistration.k8s.io/v1beta1
internal.apiserver.k8s.io/v1alpha1 apps/v1 apps/v1beta1 apps/v1beta2 authentication.k8s.io/v1 authentication.k8s.io/v1alpha1
authentication.k8s.io/v1beta1 authorization.k8s.io/v1 authorization.k8s.io/v1beta1 autoscaling/v1 autoscaling/v2 batch/v1
batch/v1beta1 certificates.k8s.io/v1 certificates.k8s.io/v1beta1 certificates.k8s.io/v1alpha1 coordination.k8s.io/v1alpha2
coordination.k8s.io/v1beta1 coordination.k8s.io/v1 discovery.k8s.io/v1 discovery.k8s.io/v1beta1 events.k8s.io/v1
events.k8s.io/v1beta1 extensions/v1beta1 flowcontrol.apiserver.k8s.io/v1 flowcontrol.apiserver.k8s.io/v1beta1
flowcontrol.apiserver.k8s.io/v1beta2 flowcontrol.apiserver.k8s.io/v1beta3 networking.k8s.io/v1 networking.k8s.io/v1beta1
node.k8s.io/v1 node.k8s.io/v1alpha1 node.k8s.io/v1beta1 policy/v1 policy/v1beta1 rbac.authorization.k8s.io/v1
rbac.authorization.k8s.io/v1beta1 rbac.authorization.k8s.io/v1alpha1 resource.k8s.io/v1 resource.k8s.io/v1beta2
resource.k8s.io/v1beta1 resource.k8s.io/v1alpha3 scheduling.k8s.io/v1alpha2 scheduling.k8s.io/v1beta1 scheduling.k8s.io/v1
storage.k8s.io/v1beta1 storage.k8s.io/v1 storage.k8s.io/v1alpha1 storagemigration.k8s.io/v1beta1 apiextensions.k8s.io/v1beta1
apiextensions.k8s.io/v1`;

const apis3 = `v1 admissionregistration.k8s.io/v1 admissionregistration.k8s.io/v1alpha1 admissionregistration.k8s.io/v1beta1
internal.apiserver.k8s.io/v1alpha1 apps/v1 apps/v1beta1 apps/v1beta2 authentication.k8s.io/v1 authentication.k8s.io/v1alpha1
authentication.k8s.io/v1beta1 authorization.k8s.io/v1 authorization.k8s.io/v1beta1 autoscaling/v1 autoscaling/v2
autoscaling/v2beta1 autoscaling/v2beta2 batch/v1 batch/v1beta1 certificates.k8s.io/v1 certificates.k8s.io/v1beta1
certificates.k8s.io/v1alpha1 coordination.k8s.io/v1alpha2 coordination.k8s.io/v1beta1 coordination.k8s.io/v1
discovery.k8s.io/v1 discovery.k8s.io/v1beta1 events.k8s.io/v1 events.k8s.io/v1beta1 extensions/v1beta1
flowcontrol.apiserver.k8s.io/v1 flowcontrol.apiserver.k8s.io/v1beta1 flowcontrol.apiserver.k8s.io/v1beta2
flowcontrol.apiserver.k8s.io/v1beta3 networking.k8s.io/v1 networking.k8s.io/v1alpha1 networking.k8s.io/v1beta1 node.k8s.io/v1
node.k8s.io/v1alpha1 node.k8s.io/v1beta1 policy/v1 policy/v1beta1 rbac.authorization.k8s.io/v1
rbac.authorization.k8s.io/v1beta1 rbac.authorization.k8s.io/v1alpha1 resource.k8s.io/v1beta2 resource.k8s.io/v1beta1
resource.k8s.io/v1alpha3 scheduling.k8s.io/v1alpha1 scheduling.k8s.io/v1beta1 scheduling.k8s.io/v1 storage.k8s.io/v1beta1
storage.k8s.io/v1 storage.k8s.io/v1alpha1 storagemigration.k8s.io/v1alpha1 apiextensions.k8s.io/v1beta1
apiextensions.k8s.io/v1`;

const notedApi = "an API that no cluster is asked for is named in the answer";

const extensions = `\tapiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
\tapiextensionsv1beta1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1"\n`;

const again =
  "a chart is parsed once for many renders, with marks in its templates or without, of some of them";

/** The same in both versions of Helm. */
const rendering: readonly Change[] = [
  {
    file: "pkg/engine/engine.go",
    why: again,
    old: '\t"text/template"\n',
    new: '\t"text/template"\n\t"text/template/parse"\n',
  },
  {
    file: "pkg/engine/engine.go",
    why: again,
    old: "\tEnableDNS bool\n",
    new: "\tEnableDNS bool\n\t// Templates that are parsed already.\n\tTrees map[string]*parse.Tree\n\t// Gets all templates once they are parsed.\n\tParsed func(*template.Template)\n\t// Whether a file is rendered.\n\tRenders func(string) bool\n\t// Behind the name of the tree that a file is rendered by.\n\tSuffix string\n",
  },
  {
    file: "pkg/engine/engine.go",
    why: again,
    old: "\tfor _, filename := range keys {\n\t\tr := tpls[filename]\n",
    new: `\tfor name, tree := range e.Trees {
\t\tif _, err := t.AddParseTree(name, tree); err != nil {
\t\t\treturn nil, err
\t\t}
\t}

\tfor _, filename := range keys {
\t\tif e.Trees != nil {
\t\t\tbreak
\t\t}
\t\tr := tpls[filename]
`,
  },
  {
    file: "pkg/engine/engine.go",
    why: again,
    old: "\trendered = make(map[string]string, len(keys))\n",
    new: "\tif e.Parsed != nil {\n\t\te.Parsed(t)\n\t}\n\trendered = make(map[string]string, len(keys))\n",
  },
  {
    file: "pkg/engine/engine.go",
    why: again,
    old: '\t\tif strings.HasPrefix(path.Base(filename), "_") {\n',
    new: '\t\tif strings.HasPrefix(path.Base(filename), "_") || (e.Renders != nil && !e.Renders(filename)) {\n',
  },
  {
    file: "pkg/engine/engine.go",
    why: again,
    old: "t.ExecuteTemplate(&buf, filename, vals)",
    new: "t.ExecuteTemplate(&buf, filename+e.Suffix, vals)",
  },
  { file: "pkg/engine/lookup_func.go", why: noCluster, remove: true },
  { file: "pkg/engine/engine.go", why: noCluster, old: '\t"k8s.io/client-go/rest"\n', new: "" },
  { file: "pkg/engine/engine.go", why: noCluster, old: "\tclientProvider *ClientProvider\n", new: "" },
  {
    file: "pkg/engine/engine.go",
    why: noCluster,
    from: "// New creates a new instance of Engine using",
    upTo: "// Render takes a chart, optional values, and value overrides, and attempts to render the Go",
    new: "",
  },
  {
    file: "pkg/engine/engine.go",
    why: noCluster,
    from: "// RenderWithClient takes",
    upTo: "// renderable is an object",
    new: "",
  },
  {
    file: "pkg/engine/engine.go",
    why: noCluster,
    from: "\t// If we are not linting and have a cluster connection",
    upTo: "\t// When DNS lookups are not enabled",
    new: "",
  },
];

/** Functions of templates: a chart renders alike every time. */
const functions: readonly Change[] = [
  {
    file: "pkg/engine/funcs.go",
    why: repeatable,
    old: '\t"github.com/Masterminds/sprig/v3"\n',
    new: '\t"valuefold.dev/engine/repeatable"\n',
  },
  { file: "pkg/engine/funcs.go", why: repeatable, old: "sprig.TxtFuncMap()", new: "repeatable.Functions()" },
];

/** Schemas that a schema of a chart refers to. @param file of Helm's validation */
const schemaReferences = (file: string, helm: string): readonly Change[] => [
  { file, why: noNetwork, old: '\t"crypto/tls"\n', new: '\t"valuefold.dev/engine/refused/schemas"\n' },
  { file, why: noNetwork, old: '\t"net/http"\n', new: "" },
  { file, why: noNetwork, old: '\t"time"\n', new: "" },
  { file, why: noNetwork, old: `\t"${helm}/internal/version"\n`, new: "" },
  { file, why: "no file of this machine is read", old: "jsonschema.FileLoader{}", new: "newHTTPURLLoader()" },
  { file, why: noNetwork, old: "type HTTPURLLoader http.Client", new: "type HTTPURLLoader struct{}" },
  {
    file,
    why: noNetwork,
    from: "\tclient := (*http.Client)(l)",
    upTo: "}\n\n// newHTTPURLLoader",
    new: "\treturn schemas.Load(urlStr)\n",
  },
  {
    file,
    why: noNetwork,
    from: "\thttpLoader := HTTPURLLoader(",
    upTo: "}\n\n// ValidateAgainstSchema",
    new: "\treturn &HTTPURLLoader{}\n",
  },
];

const capabilities4 = "pkg/chart/common/capabilities.go";
const capabilities3 = "pkg/chartutil/capabilities.go";

const helm4: ChangedModule = {
  module: "helm.sh/helm/v4",
  version: "v4.2.2",
  sum: "h1:E2zSCA2uUm9PNiZsSC/BioDVGsYk7nF2jNJFg/i+Dng=",
  parts: [
    "go.mod",
    "LICENSE",
    "pkg/engine",
    "pkg/chart",
    "pkg/ignore",
    "internal",
    "pkg/release/v1/hook.go",
    ...["manifest", "manifest_sorter", "kind_sorter"].map((each) => `pkg/release/v1/util/${each}.go`),
  ],
  changes: [
    ...rendering,
    ...functions,
    ...schemaReferences("pkg/chart/common/util/jsonschema.go", "helm.sh/helm/v4"),
    refused("pkg/chart/loader/archive/archive.go", "net/http", "a table of all kinds of content, for one"),
    { file: capabilities4, why: noTesting, old: '\t"testing"\n', new: "" },
    {
      file: capabilities4,
      why: noCluster,
      old: '\t"github.com/Masterminds/semver/v3"\n\t"k8s.io/client-go/kubernetes/scheme"\n\n',
      new: '\t"valuefold.dev/engine/refused/cluster"\n',
    },
    {
      file: capabilities4,
      why: notedApi,
      old: "\treturn slices.Contains(v, apiVersion)\n",
      new: "\tif slices.Contains(v, apiVersion) {\n\t\treturn true\n\t}\n\tcluster.Lacks(apiVersion)\n\treturn false\n",
    },
    { file: capabilities4, why: noCluster, old: extensions, new: "" },
    {
      file: capabilities4,
      why: noTesting,
      from: "const (\n\tkubeVersionMajorTesting",
      upTo: "var (",
      new: "",
    },
    {
      file: capabilities4,
      why: "the list that it makes of those packages",
      from: "\t// We should register",
      upTo: "func makeDefaultCapabilities",
      new: versionSet(apis4),
    },
    {
      file: capabilities4,
      why: "the version of Kubernetes' packages that it is built with",
      from: "\t// Test builds",
      upTo: "func newCapabilities",
      new: "\treturn newCapabilities(1, 36)\n}\n\n",
    },
    {
      file: "internal/version/clientgo.go",
      why: noCluster,
      from: "import (",
      new: 'func K8sIOClientGoModVersion() (string, error) {\n\treturn "v0.36.1", nil\n}\n',
    },
    { file: "internal/version/version.go", why: noTesting, old: '\t"testing"\n', new: "" },
    { file: "internal/version/version.go", why: noTesting, old: "testing.Testing()", new: "false" },
    {
      file: "internal/version/version.go",
      why: "as the linker sets it for a release",
      old: 'version = "v4.2"',
      new: 'version = "v4.2.2"',
    },
  ],
};

const helm3: ChangedModule = {
  module: "helm.sh/helm/v3",
  version: "v3.18.6",
  sum: "h1:S/2CqcYnNfLckkHLI0VgQbxgcDaU3N4A/46E3n9wSNY=",
  parts: [
    "go.mod",
    "LICENSE",
    "pkg/engine",
    "pkg/chart",
    "pkg/chartutil",
    "pkg/ignore",
    "internal",
    "pkg/time",
    "pkg/release/hook.go",
    ...["manifest", "manifest_sorter", "kind_sorter"].map((each) => `pkg/releaseutil/${each}.go`),
  ],
  changes: [
    ...rendering,
    ...functions,
    ...schemaReferences("pkg/chartutil/jsonschema.go", "helm.sh/helm/v3"),
    refused("pkg/chart/loader/archive.go", "net/http", "a table of all kinds of content, for one"),
    {
      file: capabilities3,
      why: noCluster,
      old: '\t"k8s.io/client-go/kubernetes/scheme"\n\n',
      new: '\t"valuefold.dev/engine/refused/cluster"\n',
    },
    {
      file: capabilities3,
      why: notedApi,
      old: "\treturn false\n}\n",
      new: "\tcluster.Lacks(apiVersion)\n\treturn false\n}\n",
    },
    { file: capabilities3, why: noCluster, old: extensions, new: "" },
    {
      file: capabilities3,
      why: "as the linker sets it for a release",
      old: 'k8sVersionMinor = "20"',
      new: 'k8sVersionMinor = "33"',
    },
    {
      file: capabilities3,
      why: "the list that it makes of those packages",
      from: "\t// We should register",
      new: versionSet(apis3),
    },
    {
      file: "internal/version/version.go",
      why: "as the linker sets it for a release",
      old: 'version = "v3.18"',
      new: 'version = "v3.18.6"',
    },
  ],
};

const patchTransformer = "internal/builtins/PatchTransformer.go";
const patchJson6902 = "internal/builtins/PatchJson6902Transformer.go";
const patchMerge = "internal/builtins/PatchStrategicMergeTransformer.go";
const noWord = "a target of a patch that selects nothing is reported";

const noted = (root: string, selected: string): string => {
  const fields = "Group Version Kind Namespace Name LabelSelector AnnotationSelector".split(" ");
  return `\treached.Add(${root}, len(${selected}), ${fields.map((each) => `p.Target.${each}`).join(", ")})\n`;
};

const importsReached = (file: string): Change => ({
  file,
  why: noWord,
  old: '\t"sigs.k8s.io/kustomize/api/resmap"\n',
  new: '\t"sigs.k8s.io/kustomize/api/resmap"\n\t"valuefold.dev/engine/reached"\n',
});

const reached = (file: string, root: string, selected: string, before: string): readonly Change[] => [
  importsReached(file),
  { file, why: noWord, old: before, new: noted(root, selected) + before },
];

const unique = "\t\ttarget, err := m.GetById(patch.OrgId())\n";

/** A patch without a target names its object itself. */
const leavesOut = (file: string): Change => ({
  file,
  why: "a patch of an object that may be in what is not fetched is left out, and the rest is built",
  old: unique,
  new: `\t\tid := patch.OrgId()
\t\tif reached.LeavesOut(len(m.GetMatchingResourcesByAnyId(id.Equals)), id.Kind, id.Namespace, id.Name) {
\t\t\tcontinue
\t\t}
${unique}`,
});

const kustomize: ChangedModule = {
  module: "sigs.k8s.io/kustomize/api",
  version: "v0.21.1",
  sum: "h1:lzqbzvz2CSvsjIUZUBNFKtIMsEw7hVLJp0JeSIVmuJs=",
  changes: [
    ...reached(patchTransformer, "p.root", "resources", "\tfor _, res := range resources {\n"),
    ...reached(patchJson6902, "p.ldr.Root()", "resources", "\tfor _, res := range resources {\n"),
    {
      file: patchTransformer,
      why: noWord,
      old: "\t\treturn errors.Wrap(m.ApplySmPatch(resource.MakeIdSet(selected), patch))\n",
      new: `${noted("p.root", "selected")}\t\treturn errors.Wrap(m.ApplySmPatch(resource.MakeIdSet(selected), patch))\n`,
    },
    {
      file: patchTransformer,
      why: noWord,
      old: "\t// patchText is pure patch text created by Path or Patch\n",
      new: "\troot string\n\t// patchText is pure patch text created by Path or Patch\n",
    },
    {
      file: patchTransformer,
      why: noWord,
      old: "\tp.Patch = strings.TrimSpace(p.Patch)\n",
      new: "\tp.root = h.Loader().Root()\n\tp.Patch = strings.TrimSpace(p.Patch)\n",
    },
    {
      file: "resmap/reswrangler.go",
      why: "for each object the ids of all before it are made, and most have another name",
      old: "\tif r := m.GetMatchingResourcesByCurrentId(id.Equals); len(r) > 0 {\n",
      new: `	isSame := func(r *resource.Resource) bool { return r.GetName() == id.Name && id.Equals(r.CurId()) }
	if slices.ContainsFunc(m.rList, isSame) {
`,
    },
    {
      file: "resmap/reswrangler.go",
      why: "for the same",
      old: '\t"reflect"\n',
      new: '\t"reflect"\n\t"slices"\n',
    },
    {
      file: "resource/resource.go",
      why: asJson,
      old: "\treturn yaml.JSONToYAML(json)\n",
      new: "\treturn printed.FromJSON(json)\n",
    },
    {
      file: "resource/resource.go",
      why: asJson,
      old: '\t"sigs.k8s.io/yaml"\n',
      new: '\t"sigs.k8s.io/yaml"\n\t"valuefold.dev/engine/printed"\n',
    },
    leavesOut(patchTransformer),
    importsReached(patchMerge),
    leavesOut(patchMerge),
    refused("internal/git/gitrunner.go", "os/exec", noProgram),
    refused("internal/builtins/HelmChartInflationGenerator.go", "os/exec", noProgram),
    refused("internal/plugins/execplugin/execplugin.go", "os/exec", noProgram),
    refused("internal/plugins/loader/load_go_plugin.go", "plugin", "no code is loaded"),
    refused("internal/loader/fileloader.go", "net/http", noNetwork),
    {
      file: "provenance/provenance.go",
      why: "the program's version, which it writes into labels: it finds it among its modules",
      old: "version = developmentVersion\n",
      new: 'version = "v5.8.1"\n',
    },
  ],
};

const openapi = "openapi/openapi.go";
const asset = "openapi/kubernetesapi/v1_21_2";
const onDemand = "the definitions of Kubernetes are decoded when they are asked for: all of them take 0.2 s";

const kyaml: ChangedModule = {
  module: "sigs.k8s.io/kustomize/kyaml",
  version: "v0.21.1",
  sum: "h1:IVlbmhC076nf6foyL6Taw4BkrLuEsXUXNpsE+ScX7fI=",
  changes: [
    refused("fn/runtime/exec/exec.go", "os/exec", noProgram),
    {
      file: "fieldmeta/fieldmeta.go",
      why: quickly,
      old: "reflect.DeepEqual(fm.Schema, spec.Schema{})",
      new: "reflect.ValueOf(&fm.Schema).Elem().IsZero()",
    },
    {
      file: openapi,
      why: quickly,
      old: "reflect.DeepEqual(*rs.Schema, spec.Schema{})",
      new: "reflect.ValueOf(rs.Schema).Elem().IsZero()",
    },
    {
      file: openapi,
      why: noProtobuf,
      old: '\topenapi_v2 "github.com/google/gnostic-models/openapiv2"\n\t"google.golang.org/protobuf/proto"\n',
      new: "",
    },
    { file: openapi, why: onDemand, old: '\t"fmt"\n', new: '\t"fmt"\n\t"maps"\n' },
    {
      file: openapi,
      why: noProtobuf,
      from: "\tcase format == Proto:",
      upTo: "\tcase format == JsonOrYaml:",
      new: "",
    },
    {
      file: openapi,
      why: onDemand,
      old: "\tif err := parse(kubernetesapi.OpenAPIMustAsset[version](assetName), Proto); err != nil {",
      new: "\tif err := unread.load(kubernetesapi.OpenAPIMustAsset[version](assetName)); err != nil {",
    },
    {
      file: openapi,
      why: onDemand,
      old: "\trs, found := globalSchema.schemaByResourceType[t]\n",
      new: "\tunread.readKind(t)\n\trs, found := globalSchema.schemaByResourceType[t]\n",
    },
    {
      file: openapi,
      why: onDemand,
      old: "\treturn resolve(schema, ref)\n",
      new: `\tif schema == &globalSchema.schema {
\t\tunread.read(strings.TrimPrefix(ref.String(), "#/definitions/"))
\t}
\treturn resolve(schema, ref)
`,
    },
    {
      file: openapi,
      why: onDemand,
      old: "\tglobalSchema = openapiData{}\n",
      new: "\tglobalSchema = openapiData{}\n\tunread = unreadSchema{}\n",
    },
    {
      file: openapi,
      why: onDemand,
      old: "// Resolve resolves the reference against",
      new: `// unreadSchema holds definitions of Kubernetes as text, and their names by apiVersion and kind.
type unreadSchema struct {
	Kinds       map[string]string
	Definitions map[string]json.RawMessage
}

var unread unreadSchema //nolint:gochecknoglobals

// load replaces what has the names and kinds of these definitions, as parsing all of them does.
func (u *unreadSchema) load(text []byte) error {
	*u = unreadSchema{}
	if err := json.Unmarshal(text, u); err != nil {
		return err
	}
	maps.DeleteFunc(globalSchema.schemaByResourceType, func(t yaml.TypeMeta, _ *spec.Schema) bool {
		_, ok := u.Kinds[t.APIVersion+"/"+t.Kind]
		return ok
	})
	for name := range maps.Clone(globalSchema.schema.Definitions) {
		if text, ok := u.Definitions[name]; ok {
			u.add(name, text)
		}
	}
	return nil
}

func (u *unreadSchema) readKind(t yaml.TypeMeta) {
	u.read(u.Kinds[t.APIVersion+"/"+t.Kind])
}

// read adds a definition. What was added after loading has its name, or its kind, for good.
func (u *unreadSchema) read(name string) {
	text, ok := u.Definitions[name]
	if !ok {
		return
	}
	if _, ok := globalSchema.schema.Definitions[name]; ok {
		return
	}
	later := maps.Clone(globalSchema.schemaByResourceType)
	u.add(name, text)
	maps.Copy(globalSchema.schemaByResourceType, later)
}

func (u *unreadSchema) add(name string, text []byte) {
	var s spec.Schema
	if err := s.UnmarshalJSON(text); err != nil {
		panic(err)
	}
	AddDefinitions(spec.Definitions{name: s})
}

// Resolve resolves the reference against`,
    },
    { file: `${asset}/swagger.pb`, why: noProtobuf, remove: true },
    {
      file: `${asset}/swagger.go`,
      why: noProtobuf,
      from: "package v1_21_2",
      new: `package v1_21_2

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"
)

//go:embed schema.json.gz
var packed []byte

func MustAsset(string) []byte {
	reader, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		panic(err)
	}
	text, err := io.ReadAll(reader)
	if err != nil {
		panic(err)
	}
	return text
}
`,
    },
  ],
};

const kubeOpenapi: ChangedModule = {
  module: "k8s.io/kube-openapi",
  version: "v0.0.0-20260317180543-43fb72c5454a",
  sum: "h1:xCeOEAOoGYl2jnJoHkC3hkbPJgdATINPMAxaynU2Ovg=",
  parts: ["go.mod", "LICENSE", "pkg/validation/spec", "pkg/internal"],
  changes: [{ file: "pkg/validation/spec/gnostic.go", why: noProtobuf, remove: true }],
};

const swag: ChangedModule = {
  module: "github.com/go-openapi/swag",
  version: "v0.23.1",
  sum: "h1:lpsStH0n2ittzTnbaSloVZLuB5+fvSY/+hnagBjSNZU=",
  changes: [
    { file: "loading.go", why: noNetwork, remove: true },
    { file: "net.go", why: noNetwork, remove: true },
    { file: "yaml.go", why: "code that nothing here calls", remove: true },
    {
      file: "json.go",
      why: "code that nothing here calls",
      old: '\n\t"github.com/mailru/easyjson/jlexer"\n\t"github.com/mailru/easyjson/jwriter"\n',
      new: "",
    },
    {
      file: "json.go",
      why: "code that nothing here calls",
      from: "type ejMarshaler interface",
      upTo: "// ConcatJSON concatenates",
      new: "",
    },
  ],
};

const onFirstUse =
  "the schemas of JSON Schema are compiled at the first use: at each start they take most of the time";

const jsonschema: ChangedModule = {
  module: "github.com/santhosh-tekuri/jsonschema/v6",
  version: "v6.0.2",
  sum: "h1:KRzFb2m7YtdldCEkzs6KqmJw4nqEVZGK7IN2kJkjTuQ=",
  changes: [
    { file: "draft.go", why: onFirstUse, old: '\t"strings"\n', new: '\t"strings"\n\t"sync"\n' },
    {
      file: "draft.go",
      why: onFirstUse,
      old: "func init() {\n\tc := NewCompiler()\n",
      new: "var drafts sync.Once\n\nfunc compileDrafts() {\n\tc := newCompiler()\n",
    },
    {
      file: "compiler.go",
      why: onFirstUse,
      old: "func NewCompiler() *Compiler {\n",
      new: "func NewCompiler() *Compiler {\n\tdrafts.Do(compileDrafts)\n\treturn newCompiler()\n}\n\nfunc newCompiler() *Compiler {\n",
    },
  ],
};

const alike = "a float that no integer holds becomes another one on amd64 than on arm64 and in wasm";

const cast: ChangedModule = {
  module: "github.com/spf13/cast",
  version: "v1.7.0",
  sum: "h1:ntdiHjuueXFgm5nzDRdOS4yfT43P5Fnud6DH50rz/7w=",
  changes: [
    { file: "caste.go", why: alike, old: '\t"html/template"\n', new: '\t"html/template"\n\t"math"\n' },
    {
      file: "caste.go",
      why: alike,
      old: "func ToInt64E(i interface{}) (int64, error) {\n\ti = indirect(i)\n",
      new: `// saturated is what arm64 and wasm make of a float.
func saturated(f float64) int64 {
	switch {
	case f != f:
		return 0
	case f >= math.MaxInt64:
		return math.MaxInt64
	case f <= math.MinInt64:
		return math.MinInt64
	}
	return int64(f)
}

func ToInt64E(i interface{}) (int64, error) {
	i = indirect(i)
	if f, ok := i.(float64); ok {
		return saturated(f), nil
	}
`,
    },
    {
      file: "caste.go",
      why: alike,
      old: "func ToIntE(i interface{}) (int, error) {\n\ti = indirect(i)\n",
      new: "func ToIntE(i interface{}) (int, error) {\n\ti = indirect(i)\n\tif f, ok := i.(float64); ok {\n\t\treturn int(saturated(f)), nil\n\t}\n",
    },
  ],
};

export const changed: readonly ChangedModule[] = [
  helm4,
  helm3,
  kustomize,
  kyaml,
  kubeOpenapi,
  swag,
  jsonschema,
  cast,
];
