// argo-oracle answers, by Argo CD's and Helm's own code, which values an Application comes to, and which Applications a set
// makes. On stdin a request per line, as JSON; on stdout an answer per line.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	stdlog "log"
	"os"
	"path/filepath"
	"strings"
	_ "unsafe"

	"github.com/argoproj/argo-cd/v3/applicationset/controllers/template"
	"github.com/argoproj/argo-cd/v3/applicationset/generators"
	"github.com/argoproj/argo-cd/v3/applicationset/utils"
	"github.com/argoproj/argo-cd/v3/common"
	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	_ "github.com/argoproj/argo-cd/v3/reposerver/repository"
	"github.com/argoproj/argo-cd/v3/util/git"
	utilio "github.com/argoproj/argo-cd/v3/util/io"
	pathutil "github.com/argoproj/argo-cd/v3/util/io/path"
	log "github.com/sirupsen/logrus"
	"helm.sh/helm/v4/pkg/chart/common/util"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	"helm.sh/helm/v4/pkg/cli/values"
	"helm.sh/helm/v4/pkg/getter"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
)

type request struct {
	// The top of the checkout that every source is in.
	Repo     string                   `json:"repo"`
	App      *v1alpha1.Application    `json:"app,omitempty"`
	Set      *v1alpha1.ApplicationSet `json:"set,omitempty"`
	Clusters []cluster                `json:"clusters,omitempty"`
}

type cluster struct {
	Name        string            `json:"name"`
	Server      string            `json:"server"`
	Labels      map[string]string `json:"labels,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

type answer struct {
	// Of an Application: one for each source with a chart.
	Values       []map[string]any       `json:"values,omitempty"`
	Applications []v1alpha1.Application `json:"applications,omitempty"`
	Error        string                 `json:"error,omitempty"`
}

//go:linkname getResolvedValueFiles github.com/argoproj/argo-cd/v3/reposerver/repository.getResolvedValueFiles
func getResolvedValueFiles(appPath, repoRoot string, env *v1alpha1.Env, schemes, raw []string, refs map[string]*v1alpha1.RefTarget, paths utilio.TempPaths, ignoreMissing bool) ([]pathutil.ResolvedFilePath, error)

//go:linkname mergeSourceParameters github.com/argoproj/argo-cd/v3/reposerver/repository.mergeSourceParameters
func mergeSourceParameters(source *v1alpha1.ApplicationSource, path, appName string) error

func main() {
	log.SetOutput(io.Discard)
	stdlog.SetOutput(io.Discard)
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := json.NewEncoder(os.Stdout)
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 0 {
			var r request
			var a answer
			if err := json.Unmarshal(line, &r); err != nil {
				a.Error = err.Error()
			} else if r.Set != nil {
				a = applicationsOf(r)
			} else {
				a = valuesOf(r)
			}
			if err := out.Encode(a); err != nil {
				panic(err)
			}
		}
		if err != nil {
			return
		}
	}
}

func valuesOf(r request) answer {
	var a answer
	sources := r.App.Spec.GetSources()
	refs := map[string]*v1alpha1.RefTarget{}
	paths := utilio.NewRandomizedTempPaths(os.TempDir())
	for _, source := range sources {
		paths.Add(git.NormalizeGitURL(source.RepoURL), r.Repo)
		if source.Ref != "" {
			refs["$"+source.Ref] = &v1alpha1.RefTarget{Repo: v1alpha1.Repository{Repo: source.RepoURL}}
		}
	}
	for _, source := range sources {
		if source.Path == "" {
			continue
		}
		own := *source.DeepCopy()
		merged, err := valuesIn(&own, r, refs, paths)
		if err != nil {
			return answer{Error: err.Error()}
		}
		a.Values = append(a.Values, merged)
	}
	return a
}

func valuesIn(source *v1alpha1.ApplicationSource, r request, refs map[string]*v1alpha1.RefTarget, paths utilio.TempPaths) (map[string]any, error) {
	appPath := filepath.Join(r.Repo, source.Path)
	if err := mergeSourceParameters(source, appPath, r.App.Name); err != nil {
		return nil, err
	}
	options := values.Options{}
	own := source.Helm
	if own == nil {
		return overChart(appPath, options)
	}
	env := &v1alpha1.Env{
		{Name: "ARGOCD_APP_NAME", Value: r.App.Name},
		{Name: "ARGOCD_APP_NAMESPACE", Value: r.App.Spec.Destination.Namespace},
		{Name: "ARGOCD_APP_PROJECT_NAME", Value: r.App.Spec.GetProject()},
		{Name: "ARGOCD_APP_SOURCE_REPO_URL", Value: source.RepoURL},
		{Name: "ARGOCD_APP_SOURCE_PATH", Value: source.Path},
		{Name: "ARGOCD_APP_SOURCE_TARGET_REVISION", Value: source.TargetRevision},
	}
	files, err := getResolvedValueFiles(appPath, r.Repo, env, nil, own.ValueFiles, refs, paths, own.IgnoreMissingValueFiles)
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		options.ValueFiles = append(options.ValueFiles, string(file))
	}
	if !own.ValuesIsEmpty() {
		file, err := os.CreateTemp("", "argo-oracle")
		if err != nil {
			return nil, err
		}
		defer os.Remove(file.Name())
		if _, err := file.Write(own.ValuesYAML()); err != nil {
			return nil, err
		}
		file.Close()
		options.ValueFiles = append(options.ValueFiles, file.Name())
	}
	if err := parameters(own, env, appPath, r.Repo, refs, paths, &options); err != nil {
		return nil, err
	}
	return overChart(appPath, options)
}

// As Helm does before it renders.
func overChart(path string, options values.Options) (map[string]any, error) {
	given, err := options.MergeValues(getter.Providers{})
	if err != nil {
		return nil, err
	}
	chart, err := loader.Load(path)
	if err != nil {
		return nil, err
	}
	return util.CoalesceValues(chart, given)
}

// As helmTemplate and template put them on Helm's command line.
func parameters(own *v1alpha1.ApplicationSourceHelm, env *v1alpha1.Env, appPath, repo string, refs map[string]*v1alpha1.RefTarget, paths utilio.TempPaths, options *values.Options) error {
	set, setString := map[string]string{}, map[string]string{}
	for _, p := range own.Parameters {
		if p.ForceString {
			setString[p.Name] = p.Value
		} else {
			set[p.Name] = p.Value
		}
	}
	for key, value := range set {
		options.Values = append(options.Values, key+"="+cleaned(env.Envsubst(value)))
	}
	for key, value := range setString {
		options.StringValues = append(options.StringValues, key+"="+cleaned(env.Envsubst(value)))
	}
	for _, p := range own.FileParameters {
		files, err := getResolvedValueFiles(appPath, repo, env, nil, []string{p.Path}, refs, paths, false)
		if err != nil {
			return err
		}
		for _, file := range files {
			options.FileValues = append(options.FileValues, p.Name+"="+cleaned(string(file)))
		}
	}
	return nil
}

// cleanSetParameters of util/helm.
func cleaned(value string) string {
	if strings.HasPrefix(value, "{") && strings.HasSuffix(value, "}") {
		return value
	}
	var result strings.Builder
	var before rune
	for _, r := range value {
		if r == ',' && before != '\\' {
			result.WriteRune('\\')
		}
		result.WriteRune(r)
		before = r
	}
	return result.String()
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

func applicationsOf(r request) answer {
	scheme := runtime.NewScheme()
	if err := errors.Join(v1alpha1.AddToScheme(scheme), corev1.AddToScheme(scheme)); err != nil {
		return answer{Error: err.Error()}
	}
	objects := []client.Object{&v1alpha1.AppProject{ObjectMeta: metav1.ObjectMeta{Name: "default", Namespace: "argocd"}}}
	for _, each := range r.Clusters {
		labels := map[string]string{common.LabelKeySecretType: common.LabelValueSecretTypeCluster}
		for key, value := range each.Labels {
			labels[key] = value
		}
		objects = append(objects, &corev1.Secret{
			ObjectMeta: metav1.ObjectMeta{Name: each.Name, Namespace: "argocd", Labels: labels, Annotations: each.Annotations},
			Data:       map[string][]byte{"name": []byte(each.Name), "server": []byte(each.Server)},
		})
	}
	kube := fake.NewClientBuilder().WithScheme(scheme).WithObjects(objects...).Build()
	all := map[string]generators.Generator{
		"List":     generators.NewListGenerator(),
		"Git":      generators.NewGitGenerator(checkout{r.Repo}, "argocd"),
		"Clusters": generators.NewClusterGenerator(kube, "argocd"),
	}
	nested := map[string]generators.Generator{"List": all["List"], "Git": all["Git"], "Clusters": all["Clusters"]}
	nested["Matrix"] = generators.NewMatrixGenerator(nested)
	nested["Merge"] = generators.NewMergeGenerator(nested)
	all["Matrix"] = generators.NewMatrixGenerator(nested)
	all["Merge"] = generators.NewMergeGenerator(nested)
	found, _, err := template.GenerateApplications(log.NewEntry(log.StandardLogger()), *r.Set, all, &utils.Render{}, kube)
	a := answer{Applications: found}
	if err != nil {
		a.Error = err.Error()
	}
	return a
}

// The repository as it is on the disk, asked as the repo-server is.
type checkout struct{ top string }

func (c checkout) GetFiles(_ context.Context, _, _, _, pattern string, _ bool, _ *v1alpha1.SourceIntegrity) (map[string][]byte, error) {
	files, err := lsFiles(c.top, pattern)
	if err != nil {
		return nil, err
	}
	found := map[string][]byte{}
	for _, file := range files {
		bytes, err := os.ReadFile(filepath.Join(c.top, file))
		if err != nil {
			return nil, err
		}
		found[file] = bytes
	}
	return found, nil
}

func (c checkout) GetDirectories(context.Context, string, string, string, bool, *v1alpha1.SourceIntegrity) ([]string, error) {
	found := []string{}
	err := filepath.Walk(c.top, func(path string, info os.FileInfo, err error) error {
		if err != nil || !info.IsDir() {
			return err
		}
		if strings.HasPrefix(info.Name(), ".") {
			return filepath.SkipDir
		}
		relative, err := filepath.Rel(c.top, path)
		if err == nil && relative != "." {
			found = append(found, relative)
		}
		return err
	})
	return found, err
}
