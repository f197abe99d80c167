// valuefold-controller publishes folded Flux sources as ExternalArtifacts.
package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/fluxcd/pkg/artifact/digest"
	"github.com/fluxcd/pkg/artifact/storage"
	fluxclient "github.com/fluxcd/pkg/runtime/client"
	fluxctrl "github.com/fluxcd/pkg/runtime/controller"
	"github.com/fluxcd/pkg/runtime/events"
	"github.com/fluxcd/pkg/runtime/leaderelection"
	"github.com/fluxcd/pkg/runtime/logger"
	"github.com/fluxcd/pkg/runtime/metrics"
	"github.com/fluxcd/pkg/runtime/probes"
	sourcev1 "github.com/fluxcd/source-controller/api/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/record"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	ctrlconfig "sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	ctrlmanager "sigs.k8s.io/controller-runtime/pkg/manager"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"valuefold.dev/controller/api/v1alpha1"
	"valuefold.dev/controller/internal/build"
	"valuefold.dev/controller/internal/child"
	reconciler "valuefold.dev/controller/internal/controller"
	"valuefold.dev/controller/internal/fold"
	"valuefold.dev/controller/internal/program"
	"valuefold.dev/controller/internal/source"
	"valuefold.dev/controller/internal/store"
)

const (
	name    = "valuefold-controller"
	forever = 365 * 24 * time.Hour
)

func main() {
	child.BecomeLimited(os.Args)
	if len(os.Args) > 1 && os.Args[1] == build.Word {
		os.Exit(build.Main(os.Stdin, os.Stdout, os.Stderr))
	}
	options := readOptions()
	ctrl.SetLogger(logger.NewLogger(options.logs))
	need(options.check())
	temporary := must(ownFolder(os.TempDir()))
	need(os.Setenv("TMPDIR", temporary))
	err := run(ctrl.SetupSignalHandler(), options, temporary)
	_ = os.RemoveAll(temporary)
	need(err)
}

// need ends the controller for what it cannot do without.
func need(err error) {
	if err != nil {
		ctrl.Log.Error(err, "the controller ended")
		os.Exit(1)
	}
}

func must[T any](value T, err error) T {
	need(err)
	return value
}

func run(ctx context.Context, options options, temporary string) error {
	manager := newManager(options)
	made := newReconciler(manager, options, temporary)
	// After the program was asked for its version: what package child has not started counts as an orphan.
	need(child.ReapOrphans(ctx))
	need(made.Register(ctx, manager, controller.Options{
		RateLimiter: fluxctrl.GetRateLimiter(options.rates),
		NewQueue:    reconciler.FairQueue(options.concurrent, options.concurrentPerNamespace),
		// An API server that is away, or lists nothing, ends nothing: the store is served meanwhile.
		CacheSyncTimeout: forever,
	}))
	history := reconciler.History{Reader: manager.GetAPIReader(), Every: time.Minute}
	if !options.watches.AllNamespaces {
		history.Namespace = os.Getenv(fluxctrl.EnvRuntimeNamespace)
	}
	need(manager.Add(history))
	files := must(os.OpenRoot(options.artifacts.StoragePath))
	// Only the leader's files are those of the status.
	need(manager.Add(&ctrlmanager.Server{Name: "artifacts", OnlyServeWhenLeader: true, Server: &http.Server{
		Addr: options.artifacts.StorageAddress, Handler: store.Handler(files),
		ReadHeaderTimeout: 10 * time.Second, IdleTimeout: time.Minute,
	}, ShutdownTimeout: new(5 * time.Second)}))
	return manager.Start(ctx)
}

func newReconciler(manager ctrl.Manager, options options, temporary string) *reconciler.Reconciler {
	gates := map[string]bool{cancelFoldOnNewRevision: true}
	need(options.gates.SupportedFeatures(gates))
	need(options.jitter.SetGlobalJitter(nil))
	digest.Canonical = must(digest.AlgorithmForName(options.artifacts.ArtifactDigestAlgo))
	version := must(exec.Command(options.program, "--version").Output())
	notify := must(events.NewRecorderForScheme(manager.GetScheme(), &record.FakeRecorder{}, ctrl.Log, options.eventsAddress, name))
	//nolint:staticcheck // Flux' recorder, which is used the same way, has the older interface.
	said := reconciler.NewEvents(manager.GetEventRecorderFor(name), notify)
	return &reconciler.Reconciler{
		Client: manager.GetClient(), Events: said.Send, Name: name,
		Store:   store.Store{Storage: must(storage.New(&options.artifacts))},
		Metrics: fluxctrl.NewMetrics(manager, metrics.MustMakeRecorder(), v1alpha1.Finalizer),
		// What was too large for other limits is tried again.
		Version:             fmt.Sprint(strings.TrimSpace(string(version)), options.mostSource),
		AllowCrossNamespace: !options.acl.NoCrossNamespaceRefs,
		FinishOldRevisions:  !gates[cancelFoldOnNewRevision],
		SourceWait:          options.sourceWait, MostTime: options.mostTime,
		Sources: source.NewCache(temporary, options.keptSources, options.mostTime,
			source.Fetcher(options.httpRetries, options.mostSource)),
		Folder: fold.Folder{
			Builder: build.NewBuilder(options.mostOutput, options.mostMemory),
			Program: program.New(options.program, options.searchPath, options.mostOutput, options.mostMemory),
			Observe: observeSteps(),
		},
	}
}

func newManager(options options) ctrl.Manager {
	scheme := runtime.NewScheme()
	need(errors.Join(clientgoscheme.AddToScheme(scheme), sourcev1.AddToScheme(scheme), v1alpha1.AddToScheme(scheme)))
	selector := must(fluxctrl.GetWatchSelector(options.watches))
	// A shard has a lease of its own.
	lease := name + "-leader-election"
	if options.watches.LabelSelector != "" {
		lease = leaderelection.GenerateID(lease, options.watches.LabelSelector)
	}
	namespace := os.Getenv(fluxctrl.EnvRuntimeNamespace)
	objects := cache.Options{
		ByObject:         map[client.Object]cache.ByObject{&v1alpha1.FoldedArtifact{}: {Label: selector}},
		DefaultTransform: cache.TransformStripManagedFields(),
	}
	if !options.watches.AllNamespaces {
		objects.DefaultNamespaces = map[string]cache.Config{namespace: {}}
	}
	manager := must(ctrl.NewManager(fluxclient.GetConfigOrDie(options.client), ctrl.Options{
		Scheme: scheme, Logger: ctrl.Log, Cache: objects,
		Metrics:                       metricsserver.Options{BindAddress: options.metricsAddress},
		HealthProbeBindAddress:        options.healthAddress,
		LeaderElection:                options.election.Enable,
		LeaderElectionReleaseOnCancel: options.election.ReleaseOnCancel,
		LeaseDuration:                 &options.election.LeaseDuration,
		RenewDeadline:                 &options.election.RenewDeadline,
		RetryPeriod:                   &options.election.RetryPeriod,
		LeaderElectionID:              lease,
		LeaderElectionNamespace:       namespace,
		Controller: ctrlconfig.Controller{
			MaxConcurrentReconciles: options.concurrent, RecoverPanic: new(true),
			ReconciliationTimeout: options.mostTime + time.Minute,
		},
		// Never all Secrets of a cluster: only those that objects name, each when it is needed.
		Client: client.Options{Cache: &client.CacheOptions{
			DisableFor: []client.Object{&corev1.Secret{}}, Unstructured: true,
		}},
	}))
	probes.SetupChecks(manager, ctrl.Log)
	return manager
}
