package v1alpha1

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/json"
)

const (
	// Kind of a FoldedArtifact.
	Kind = "FoldedArtifact"
	// Finalizer keeps an object until its files and its ExternalArtifact are removed.
	Finalizer = "flux.valuefold.dev/finalizer"
)

// GroupVersion of this package.
var GroupVersion = schema.GroupVersion{Group: "flux.valuefold.dev", Version: "v1alpha1"}

// AddToScheme registers the kinds of this package.
func AddToScheme(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(GroupVersion, &FoldedArtifact{}, &FoldedArtifactList{})
	metav1.AddToGroupVersion(scheme, GroupVersion)
	return nil
}

// UnmarshalJSON never fails for what an object says: no other object of a list would be read, either.
func (o *FoldedArtifact) UnmarshalJSON(text []byte) error {
	type plain FoldedArtifact
	read := plain{}
	if err := json.UnmarshalCaseSensitivePreserveInts(text, &read); err != nil {
		read = plain{Unreadable: err.Error()}
		var head struct {
			metav1.TypeMeta   `json:",inline"`
			metav1.ObjectMeta `json:"metadata"`
		}
		if err := json.UnmarshalCaseSensitivePreserveInts(text, &head); err != nil {
			return err
		}
		read.TypeMeta, read.ObjectMeta = head.TypeMeta, head.ObjectMeta
	}
	*o = FoldedArtifact(read)
	return nil
}

// GetConditions is for the conditions package of Flux.
func (o *FoldedArtifact) GetConditions() []metav1.Condition { return o.Status.Conditions }

// SetConditions is for the conditions package of Flux.
func (o *FoldedArtifact) SetConditions(conditions []metav1.Condition) {
	o.Status.Conditions = conditions
}

// SourceNamespace is the namespace of the source.
func (o *FoldedArtifact) SourceNamespace() string {
	if o.Spec.SourceRef.Namespace != "" {
		return o.Spec.SourceRef.Namespace
	}
	return o.Namespace
}

// Interval between two checks.
func (o *FoldedArtifact) Interval() time.Duration {
	return bounded(o.Spec.Interval, time.Hour, year)
}

// RetryInterval after a failure.
func (o *FoldedArtifact) RetryInterval() time.Duration {
	return bounded(o.Spec.RetryInterval, time.Minute, year)
}

// Timeout of one run.
func (o *FoldedArtifact) Timeout() time.Duration {
	return bounded(o.Spec.Timeout, 2*time.Minute, LongestRun)
}

// LongestRun bounds spec.timeout: a run occupies a worker.
const LongestRun = 10 * time.Minute

const year = 365 * 24 * time.Hour

// bounded keeps a tenant's durations from keeping the controller busy: none is shorter than a second. What is no duration
// is as if it were not set: the API server refuses it, unless it has an older schema.
func bounded(given Duration, otherwise, longest time.Duration) time.Duration {
	if wanted, err := time.ParseDuration(string(given)); err == nil {
		otherwise = max(wanted, time.Second)
	}
	return min(otherwise, longest)
}
