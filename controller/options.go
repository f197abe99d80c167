package main

import (
	"fmt"
	"time"

	"github.com/fluxcd/pkg/artifact/config"
	"github.com/fluxcd/pkg/runtime/acl"
	fluxclient "github.com/fluxcd/pkg/runtime/client"
	fluxctrl "github.com/fluxcd/pkg/runtime/controller"
	"github.com/fluxcd/pkg/runtime/features"
	"github.com/fluxcd/pkg/runtime/jitter"
	"github.com/fluxcd/pkg/runtime/leaderelection"
	"github.com/fluxcd/pkg/runtime/logger"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/spf13/pflag"
	ctrlmetrics "sigs.k8s.io/controller-runtime/pkg/metrics"

	"valuefold.dev/controller/api/v1alpha1"
	"valuefold.dev/controller/internal/source"
)

// cancelFoldOnNewRevision ends a fold whose source has moved on meanwhile.
const cancelFoldOnNewRevision = "CancelFoldOnNewRevision"

// options are the flags: Flux' own by their names, and ours.
type options struct {
	metricsAddress, healthAddress, eventsAddress string
	program, searchPath                          string
	concurrent, concurrentPerNamespace           int
	httpRetries, keptSources                     int
	mostSource                                   source.Limits
	mostOutput, mostMemory                       int64
	sourceWait, mostTime                         time.Duration

	acl       acl.Options
	artifacts config.Options
	client    fluxclient.Options
	gates     features.FeatureGates
	jitter    jitter.IntervalOptions
	election  leaderelection.Options
	logs      logger.Options
	rates     fluxctrl.RateLimiterOptions
	watches   fluxctrl.WatchOptions
}

func readOptions() (o options) {
	f := pflag.CommandLine
	f.StringVar(&o.metricsAddress, "metrics-addr", ":8080", "address of the metrics")
	f.StringVar(&o.healthAddress, "health-addr", ":9440", "address of the health probe")
	f.StringVar(&o.eventsAddress, "events-addr", "", "address of the notification-controller")
	f.StringVar(&o.program, "valuefold", "/opt/valuefold/valuefold", "the valuefold program")
	f.StringVar(&o.searchPath, "path", "/usr/local/bin:/usr/bin:/bin", "PATH of the valuefold program, for sops")
	f.IntVar(&o.concurrent, "concurrent", 4, "how many objects are folded at a time")
	f.IntVar(&o.concurrentPerNamespace, "concurrent-per-namespace", 2, "how many of them may be of one namespace")
	f.IntVar(&o.httpRetries, "http-retry", 2, "how often a failed download is repeated at once")
	f.IntVar(&o.keptSources, "kept-sources", 4, "how many unpacked sources are kept while no object uses them")
	f.Int64Var(&o.mostSource.Bytes, "max-source-bytes", 64<<20, "size of a source's archive")
	f.IntVar(&o.mostSource.Files, "max-source-files", 100_000, "files and folders of a source")
	f.Int64Var(&o.mostOutput, "max-output-bytes", 32<<20, "size of a build, of a render and of a fold")
	f.Int64Var(&o.mostMemory, "max-memory-bytes", 512<<20, "private memory of a build, of a render and of a fold")
	f.DurationVar(&o.sourceWait, "requeue-dependency", 5*time.Second, "how soon a missing source is looked for again")
	f.DurationVar(&o.mostTime, "max-timeout", v1alpha1.LongestRun, "bound of spec.timeout")
	o.acl.BindFlags(f)
	o.artifacts.BindFlags(f)
	o.client.BindFlags(f)
	o.gates.BindFlags(f)
	o.jitter.BindFlags(f)
	o.election.BindFlags(f)
	o.logs.BindFlags(f)
	o.rates.BindFlags(f)
	o.watches.BindFlags(f)
	pflag.Parse()
	return o
}

// What confines a program is a Go program itself, and has 64 MiB of address space before it becomes that one.
const leastMemory = 128 << 20

// check refuses numbers with which nothing would ever run, or without a bound.
func (o options) check() error {
	for flag, number := range map[string]int64{
		"concurrent": int64(o.concurrent), "concurrent-per-namespace": int64(o.concurrentPerNamespace),
		"max-source-bytes": o.mostSource.Bytes, "max-source-files": int64(o.mostSource.Files),
		"max-output-bytes": o.mostOutput, "max-memory-bytes": o.mostMemory - leastMemory + 1,
		"requeue-dependency": int64(o.sourceWait), "max-timeout": int64(o.mostTime),
		// These may be 0.
		"http-retry": int64(o.httpRetries) + 1, "kept-sources": int64(o.keptSources) + 1,
	} {
		if number < 1 {
			return fmt.Errorf("--%s is too small", flag)
		}
	}
	return nil
}

// observeSteps registers the metric of the durations of steps.
func observeSteps() func(step string, taken time.Duration) {
	durations := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name:    "valuefold_step_duration_seconds",
		Help:    "Duration of a step of a fold, successful or not.",
		Buckets: prometheus.ExponentialBuckets(0.05, 2, 12),
	}, []string{"step"})
	ctrlmetrics.Registry.MustRegister(durations)
	return func(step string, taken time.Duration) { durations.WithLabelValues(step).Observe(taken.Seconds()) }
}
