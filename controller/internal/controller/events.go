package controller

import (
	eventv1 "github.com/fluxcd/pkg/apis/event/v1beta1"
	sourcev1 "github.com/fluxcd/source-controller/api/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/record"
	ctrl "sigs.k8s.io/controller-runtime"

	"valuefold.dev/controller/api/v1alpha1"
)

// Events go to the API server, about the FoldedArtifact, and to notification-controller, about its ExternalArtifact:
// that is a kind that alerts take.
type Events struct {
	// recorder of the API server; it does not wait.
	recorder record.EventRecorder
	// notify waits for notification-controller, for seconds where there is none.
	notify record.EventRecorder
	queue  chan func()
}

// The events of a push to many objects. Those that come while so many wait are left out.
const mostWaiting = 1000

// NewEvents sends what waits until the process ends. That does not wait for the last one: the controller's lease would.
func NewEvents(recorder, notify record.EventRecorder) *Events {
	e := &Events{recorder, notify, make(chan func(), mostWaiting)}
	go func() {
		for send := range e.queue {
			send()
		}
	}()
	return e
}

// Send never waits.
func (e *Events) Send(o *v1alpha1.FoldedArtifact, kind, reason, message string) {
	e.recorder.Event(o, kind, reason, message)
	artifact := &sourcev1.ExternalArtifact{
		TypeMeta:   metav1.TypeMeta{APIVersion: sourcev1.GroupVersion.String(), Kind: sourcev1.ExternalArtifactKind},
		ObjectMeta: metav1.ObjectMeta{Name: o.Name, Namespace: o.Namespace, Annotations: o.Annotations},
	}
	metadata := map[string]string{}
	note := func(key, revision string) {
		if revision != "" {
			metadata[sourcev1.GroupVersion.Group+"/"+key] = revision
		}
	}
	note(eventv1.MetaOriginRevisionKey, o.Status.LastAttemptedOriginRevision)
	if o.Status.Artifact != nil {
		note(eventv1.MetaRevisionKey, o.Status.Artifact.Revision)
		note(eventv1.MetaDigestKey, o.Status.Artifact.Digest)
	}
	select {
	case e.queue <- func() { e.notify.AnnotatedEventf(artifact, metadata, kind, reason, "%s", message) }:
	default:
		ctrl.Log.Info("an event is not sent: too many wait", "object", o.Namespace+"/"+o.Name, "reason", reason)
	}
}
