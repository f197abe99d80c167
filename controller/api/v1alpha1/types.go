// Package v1alpha1 has the kind FoldedArtifact: a Flux source, built or rendered, folded and published as an
// ExternalArtifact.
//
// +kubebuilder:object:generate=true
// +groupName=flux.valuefold.dev
package v1alpha1

import (
	"github.com/fluxcd/pkg/apis/meta"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// FoldedArtifactSpec says what is built from which source.
//
// +kubebuilder:validation:XValidation:rule="has(self.build) || has(self.render)",message="one of build and render must be set"
type FoldedArtifactSpec struct {
	SourceRef SourceReference `json:"sourceRef"`

	// Build is a kustomization of the source, or a folder of plain manifests.
	// +optional
	Build *Build `json:"build,omitempty"`

	// Render makes ConfigMaps and Secrets from directories of layers: the settings of `valuefold render`.
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=32
	// +optional
	Render []Settings `json:"render,omitempty"`

	// Fold has the settings of `valuefold fold`.
	// +optional
	Fold *Settings `json:"fold,omitempty"`

	// Verify checks what is folded before it is published.
	// +optional
	Verify *Verify `json:"verify,omitempty"`

	// Decryption opens sealed layers; what was sealed is sealed again. Unset, sealed layers stay as they are.
	// +optional
	Decryption *Decryption `json:"decryption,omitempty"`

	// Interval between two checks of what is published: 1h unless set. A new revision of the source does not wait for it.
	// +optional
	Interval Duration `json:"interval,omitempty"`

	// RetryInterval after a failure: 1m unless set.
	// +optional
	RetryInterval Duration `json:"retryInterval,omitempty"`

	// Timeout of one run: 2m unless set.
	// +optional
	Timeout Duration `json:"timeout,omitempty"`

	// Suspend leaves everything as it is.
	// +optional
	Suspend bool `json:"suspend,omitempty"`
}

// Duration is a text, so that no duration keeps other objects from being read.
//
// +kubebuilder:validation:MaxLength=32
// +kubebuilder:validation:Pattern="^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$"
// +kubebuilder:validation:XValidation:rule="duration(self) <= duration('8760h')",message="at most a year (8760h)"
type Duration string

// SourceReference names a Flux source.
type SourceReference struct {
	// +kubebuilder:validation:Enum=GitRepository;OCIRepository;Bucket;ExternalArtifact
	Kind string `json:"kind"`

	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name"`

	// Namespace of the source: that of the FoldedArtifact unless set.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	// +optional
	Namespace string `json:"namespace,omitempty"`
}

// Build is a folder of the source.
type Build struct {
	// +kubebuilder:default="./"
	// +kubebuilder:validation:MaxLength=1024
	// +optional
	Path string `json:"path,omitempty"`
}

// Settings are a file of the source, or the settings themselves.
//
// +kubebuilder:validation:XValidation:rule="has(self.path) != has(self.settings)",message="one of path and settings must be set"
type Settings struct {
	// Path of a file of the source.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=1024
	// +optional
	Path string `json:"path,omitempty"`

	// Settings as such a file has them under `spec`.
	// +kubebuilder:pruning:PreserveUnknownFields
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:validation:Type=object
	// +optional
	Settings *apiextensionsv1.JSON `json:"settings,omitempty"`
}

// Verify has the flags of `valuefold verify`.
type Verify struct {
	// Strict fails on any reference to an object that is not published.
	// +kubebuilder:default=false
	// +optional
	Strict bool `json:"strict,omitempty"`
}

// Decryption names the keys.
type Decryption struct {
	// +kubebuilder:validation:Enum=sops
	Provider string `json:"provider"`

	// SecretRef names a Secret of the same namespace with age keys, each under a key that ends in `.agekey`.
	SecretRef SecretReference `json:"secretRef"`
}

// SecretReference names a Secret of the same namespace.
type SecretReference struct {
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name"`
}

// Failure is a fault of the source that its author can mend.
type Failure struct {
	// Step that failed: fetch, build, render, fold or verify.
	Step string `json:"step"`
	// Code of docs/faults.md.
	// +optional
	Code string `json:"code,omitempty"`
	// Subject is the object or the instance of a render that has the fault.
	// +optional
	Subject string `json:"subject,omitempty"`
	Message string `json:"message"`
	// At is the place: object and file, line and column.
	// +optional
	At string `json:"at,omitempty"`
	// Hint is the cure.
	// +optional
	Hint string `json:"hint,omitempty"`
}

// PublishedArtifact is what the ExternalArtifact holds.
type PublishedArtifact struct {
	Digest   string `json:"digest"`
	Revision string `json:"revision"`
	// OriginRevision of the source.
	// +optional
	OriginRevision string `json:"originRevision,omitempty"`
	Size           int64  `json:"size"`
	File           string `json:"file"`
	// Items is the number of objects.
	// +optional
	Items int `json:"items,omitempty"`
}

// FoldedArtifactStatus says what was published, what failed and what was missed.
type FoldedArtifactStatus struct {
	meta.ReconcileRequestStatus `json:",inline"`

	// +optional
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`

	// +optional
	Conditions []metav1.Condition `json:"conditions,omitempty"`

	// LastAttemptedRevision of the source.
	// +optional
	LastAttemptedRevision string `json:"lastAttemptedRevision,omitempty"`

	// LastAttemptedOriginRevision is the commit of that revision.
	// +optional
	LastAttemptedOriginRevision string `json:"lastAttemptedOriginRevision,omitempty"`

	// LastPublishedRevision of the source.
	// +optional
	LastPublishedRevision string `json:"lastPublishedRevision,omitempty"`

	// ObservedInput is a digest of all that the artifact was made from.
	// +optional
	ObservedInput string `json:"observedInput,omitempty"`

	// +optional
	Artifact *PublishedArtifact `json:"artifact,omitempty"`

	// Failures of the last attempt: the first 20 of FailureCount.
	// +kubebuilder:validation:MaxItems=20
	// +optional
	Failures []Failure `json:"failures,omitempty"`

	// +optional
	FailureCount int `json:"failureCount,omitempty"`

	// Misses are parts of a render's scope that found nothing: the first 100.
	// +optional
	Misses []string `json:"misses,omitempty"`

	// Warnings of the last attempt; the controller's log has them.
	// +optional
	Warnings int `json:"warnings,omitempty"`
}

// FoldedArtifact is published as an ExternalArtifact of the same name.
//
// +kubebuilder:object:root=true
// +kubebuilder:resource:shortName=fa,categories={fluxcd,fluxcd-sources}
// +kubebuilder:subresource:status
// +kubebuilder:metadata:annotations="kustomize.toolkit.fluxcd.io/substitute=disabled"
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`
// +kubebuilder:printcolumn:name="Status",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].message`
// +kubebuilder:printcolumn:name="Failures",type=integer,priority=1,JSONPath=`.status.failureCount`
// +kubebuilder:printcolumn:name="Published",type=string,priority=1,JSONPath=`.status.lastPublishedRevision`
type FoldedArtifact struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec FoldedArtifactSpec `json:"spec"`
	// +optional
	Status FoldedArtifactStatus `json:"status,omitempty"`

	// Unreadable says why the object could not be read; then it has metadata alone.
	Unreadable string `json:"-"`
}

// FoldedArtifactList is a list of them.
//
// +kubebuilder:object:root=true
type FoldedArtifactList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []FoldedArtifact `json:"items"`
}
