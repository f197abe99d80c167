package controller

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/record"

	"valuefold.dev/controller/api/v1alpha1"
)

// slow is a notification-controller that does not answer.
type slow struct {
	record.EventRecorder
	got chan map[string]string
}

func (s slow) AnnotatedEventf(object runtime.Object, annotations map[string]string, _, _, _ string, _ ...any) {
	annotations["kind"] = object.GetObjectKind().GroupVersionKind().Kind
	s.got <- annotations
}

func TestEventsDoNotWaitForTheirReceiver(t *testing.T) {
	recorder, notify := record.NewFakeRecorder(mostWaiting*2), slow{got: make(chan map[string]string)}
	events := NewEvents(recorder, notify)
	o := shop()
	o.Status.LastAttemptedOriginRevision, o.Status.Artifact = "main@sha1:1", &v1alpha1.PublishedArtifact{Revision: "latest@sha256:1"}
	begun := time.Now()
	for range mostWaiting + 10 {
		events.Send(o, corev1.EventTypeNormal, "Succeeded", "published")
	}
	if time.Since(begun) > 30*time.Second {
		t.Errorf("they took %s", time.Since(begun))
	}
	if got := <-recorder.Events; !strings.HasPrefix(got, "Normal Succeeded published") {
		t.Errorf("got %q", got)
	}
	got := <-notify.got
	if got["kind"] != "ExternalArtifact" || got["source.toolkit.fluxcd.io/originRevision"] != "main@sha1:1" ||
		got["source.toolkit.fluxcd.io/revision"] != "latest@sha256:1" {
		t.Errorf("got %v", got)
	}
}
