package controller

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fluxcd/pkg/apis/meta"
	"github.com/fluxcd/pkg/artifact/config"
	"github.com/fluxcd/pkg/artifact/storage"
	"github.com/fluxcd/pkg/runtime/conditions"
	sourcev1 "github.com/fluxcd/source-controller/api/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/record"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/event"

	"valuefold.dev/controller/api/v1alpha1"
	"valuefold.dev/controller/internal/build"
	"valuefold.dev/controller/internal/child"
	"valuefold.dev/controller/internal/fold"
	"valuefold.dev/controller/internal/program"
	"valuefold.dev/controller/internal/source"
	"valuefold.dev/controller/internal/store"
)

// The test program is the child that builds, too. The valuefold program is the one that `npm run build` made.
func TestMain(m *testing.M) {
	child.BecomeLimited(os.Args)
	if len(os.Args) > 1 && os.Args[1] == build.Word {
		os.Exit(build.Main(os.Args[2:], os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

type world struct {
	*Reconciler
	t      *testing.T
	events *record.FakeRecorder
	// files of the source, by name.
	files map[string]string
}

const digest = "sha256:0000000000000000000000000000000000000000000000000000000000000000"

func newWorld(t *testing.T, objects ...client.Object) *world {
	t.Helper()
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{clientgoscheme.AddToScheme, sourcev1.AddToScheme, v1alpha1.AddToScheme} {
		if err := add(scheme); err != nil {
			t.Fatal(err)
		}
	}
	stored, err := storage.New(&config.Options{
		StoragePath: t.TempDir(), StorageAddress: ":0", StorageAdvAddress: "store", ArtifactRetentionRecords: 2,
		ArtifactRetentionTTL: time.Minute,
	})
	if err != nil {
		t.Fatal(err)
	}
	path, err := filepath.Abs("../../../dist/valuefold.cjs")
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, events: record.NewFakeRecorder(100), files: map[string]string{
		"c.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n",
	}}
	sources, err := source.NewCache(t.TempDir(), 0, time.Minute, w.fetch)
	if err != nil {
		t.Fatal(err)
	}
	w.Reconciler = &Reconciler{
		Client: fake.NewClientBuilder().WithScheme(scheme).WithObjects(objects...).
			WithStatusSubresource(&v1alpha1.FoldedArtifact{}, &sourcev1.ExternalArtifact{}).
			WithIndex(&v1alpha1.FoldedArtifact{}, sourceIndex, indexOf).Build(),
		Events: w.events, Store: store.Store{Storage: stored}, Name: "valuefold-controller", Version: "1",
		AllowCrossNamespace: true, Sources: sources, SourceWait: time.Second,
		Folder: fold.Folder{
			Builder: build.Builder{Program: build.Self(), MostOutput: 1 << 20, MostMemory: 512 << 20},
			Program: program.Program{Path: path, SearchPath: os.Getenv("PATH"), MostOutput: 1 << 20, MostMemory: 512 << 20},
		},
	}
	return w
}

func (w *world) fetch(_ context.Context, _ *meta.Artifact, folder string) error {
	if len(w.files) == 0 {
		return errors.New("away: " + folder)
	}
	for name, text := range w.files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

func shop() *v1alpha1.FoldedArtifact {
	return &v1alpha1.FoldedArtifact{
		ObjectMeta: metav1.ObjectMeta{Name: "shop", Namespace: "apps", UID: "uid", Generation: 1},
		Spec: v1alpha1.FoldedArtifactSpec{
			SourceRef: v1alpha1.SourceReference{Kind: "GitRepository", Name: "fleet"},
			Build:     &v1alpha1.Build{Path: "./"},
		},
	}
}

func fleet(revision string) *sourcev1.GitRepository {
	return &sourcev1.GitRepository{
		ObjectMeta: metav1.ObjectMeta{Name: "fleet", Namespace: "apps"},
		Status: sourcev1.GitRepositoryStatus{Artifact: &meta.Artifact{
			Revision: revision, Digest: digest, URL: "http://source/" + revision,
		}},
	}
}

func (w *world) reconcile() (*v1alpha1.FoldedArtifact, ctrl.Result) {
	w.t.Helper()
	o := shop()
	result, err := w.Reconcile(w.t.Context(), ctrl.Request{NamespacedName: client.ObjectKeyFromObject(o)})
	if err != nil {
		w.t.Fatal(err)
	}
	if err := w.Get(w.t.Context(), client.ObjectKeyFromObject(o), o); err != nil {
		w.t.Fatal(err)
	}
	return o, result
}

func (w *world) push(revision string) {
	w.t.Helper()
	source := &sourcev1.GitRepository{}
	if err := w.Get(w.t.Context(), client.ObjectKeyFromObject(fleet("")), source); err != nil {
		w.t.Fatal(err)
	}
	source.Status = fleet(revision).Status
	if err := w.Update(w.t.Context(), source); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) drainEvents() (texts []string) {
	for {
		select {
		case text := <-w.events.Events:
			texts = append(texts, text)
		default:
			return texts
		}
	}
}

func (w *world) announcedArtifact() *sourcev1.ExternalArtifact {
	w.t.Helper()
	found := &sourcev1.ExternalArtifact{}
	if err := w.Get(w.t.Context(), client.ObjectKey{Namespace: "apps", Name: "shop"}, found); err != nil {
		w.t.Fatal(err)
	}
	return found
}

func TestAnArtifactIsPublishedOnce(t *testing.T) {
	w := newWorld(t, shop(), fleet("main@sha1:1"))
	first, result := w.reconcile()
	if !conditions.IsReady(first) || first.Status.Artifact.Items != 1 || result.RequeueAfter < 50*time.Minute {
		t.Fatalf("got %+v, %v", first.Status, result)
	}
	if conditions.Has(first, meta.ReconcilingCondition) || first.Status.ObservedGeneration != 1 {
		t.Errorf("got %+v", first.Status)
	}
	announced := w.announcedArtifact()
	if announced.Status.Artifact.Digest != first.Status.Artifact.Digest || !isOwned(announced, first) {
		t.Errorf("got %+v", announced)
	}
	again, _ := w.reconcile()
	if again.ResourceVersion != first.ResourceVersion || w.announcedArtifact().ResourceVersion != announced.ResourceVersion {
		t.Error("a check without a change wrote something")
	}
}

func TestAnUnchangedOutputKeepsRevisionAndTimes(t *testing.T) {
	w := newWorld(t, shop(), fleet("main@sha1:1"))
	first, _ := w.reconcile()
	before := w.announcedArtifact()
	w.push("main@sha1:2")
	second, _ := w.reconcile()
	after := w.announcedArtifact()
	if second.Status.Artifact.Revision != first.Status.Artifact.Revision ||
		second.Status.LastPublishedRevision != "main@sha1:2" ||
		!after.Status.Artifact.LastUpdateTime.Equal(&before.Status.Artifact.LastUpdateTime) ||
		after.Status.Artifact.Metadata[store.RevisionKey] != "main@sha1:2" {
		t.Fatalf("got %+v and %+v", second.Status, after.Status)
	}
}

func TestAFaultLeavesTheLastArtifactAndIsSaidOnce(t *testing.T) {
	w := newWorld(t, shop(), fleet("main@sha1:1"))
	good, _ := w.reconcile()
	w.drainEvents()
	w.files["c.yaml"] = "a: [\n"
	w.push("main@sha1:2")
	for range 3 {
		failed, result := w.reconcile()
		if conditions.GetReason(failed, meta.ReadyCondition) != "BuildFailed" || failed.Status.FailureCount != 1 ||
			failed.Status.Artifact.Digest != good.Status.Artifact.Digest || result.RequeueAfter > 2*time.Minute ||
			failed.Status.LastAttemptedRevision != "main@sha1:2" || failed.Status.LastPublishedRevision != "main@sha1:1" {
			t.Fatalf("got %+v", failed.Status)
		}
	}
	if events := w.drainEvents(); len(events) != 1 || !strings.HasPrefix(events[0], "Warning BuildFailed") {
		t.Errorf("got %q", events)
	}
	if w.announcedArtifact().Status.Artifact.Digest != good.Status.Artifact.Digest {
		t.Error("the last artifact did not stay")
	}
	w.files["c.yaml"] = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n"
	w.push("main@sha1:3")
	if mended, _ := w.reconcile(); !conditions.IsReady(mended) || mended.Status.FailureCount != 0 || mended.Status.Failures != nil {
		t.Fatalf("got %+v", mended.Status)
	}
}

func TestTheEndOfTheControllerIsNoFaultOfAnObject(t *testing.T) {
	w := newWorld(t, shop(), fleet("main@sha1:1"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := w.Reconcile(ctx, ctrl.Request{NamespacedName: client.ObjectKeyFromObject(shop())})
	if events := w.drainEvents(); !errors.Is(err, context.Canceled) || len(events) > 0 {
		t.Fatalf("got %v, %q", err, events)
	}
}

func TestASourceThatIsMissingOrAway(t *testing.T) {
	w := newWorld(t, shop())
	lost, result := w.reconcile()
	if conditions.GetReason(lost, meta.ReadyCondition) != reasonSourceNotReady || result.RequeueAfter > 2*time.Second {
		t.Fatalf("got %+v, %v", lost.Status, result)
	}
	w = newWorld(t, shop(), fleet("main@sha1:1"))
	w.files = nil
	away, _ := w.reconcile()
	message := conditions.GetMessage(away, meta.ReadyCondition)
	if conditions.GetReason(away, meta.ReadyCondition) != reasonFetchFailed || strings.Contains(message, os.TempDir()) {
		t.Fatalf("got %+v", away.Status)
	}
}

func TestASourceOfEachKind(t *testing.T) {
	named := metav1.ObjectMeta{Name: "fleet", Namespace: "apps"}
	artifact := fleet("latest@sha256:1").Status.Artifact
	for kind, filled := range map[string]sourceObject{
		"GitRepository":    fleet("latest@sha256:1"),
		"OCIRepository":    &sourcev1.OCIRepository{ObjectMeta: named, Status: sourcev1.OCIRepositoryStatus{Artifact: artifact}},
		"Bucket":           &sourcev1.Bucket{ObjectMeta: named, Status: sourcev1.BucketStatus{Artifact: artifact}},
		"ExternalArtifact": &sourcev1.ExternalArtifact{ObjectMeta: named, Status: sourcev1.ExternalArtifactStatus{Artifact: artifact}},
	} {
		t.Run(kind, func(t *testing.T) {
			o, empty := shop(), newSource[kind]()
			o.Spec.SourceRef.Kind = kind
			empty.SetName("fleet")
			empty.SetNamespace("apps")
			w := newWorld(t, o, empty)
			if waiting, _ := w.reconcile(); conditions.GetReason(waiting, meta.ReadyCondition) != reasonSourceNotReady {
				t.Errorf("got %+v", waiting.Status)
			}
			if !hasNewArtifact(event.UpdateEvent{ObjectOld: empty, ObjectNew: filled}) ||
				hasNewArtifact(event.UpdateEvent{ObjectOld: filled, ObjectNew: filled}) {
				t.Error("a new artifact is not seen, or an old one is")
			}
			for each := range newSource {
				if users := w.usersOf(each)(t.Context(), filled); len(users) == 1 != (each == kind) {
					t.Errorf("a %s of that name has the users %v", each, users)
				}
			}
			w = newWorld(t, o, filled)
			if published, _ := w.reconcile(); !conditions.IsReady(published) ||
				published.Status.LastPublishedRevision != "latest@sha256:1" {
				t.Errorf("got %+v", published.Status)
			}
		})
	}
	if len(newSource) != 4 {
		t.Errorf("there are %d kinds of sources", len(newSource))
	}
}

func TestWhatOnlyAChangeOfTheObjectMendsIsNotRetried(t *testing.T) {
	foreign := &sourcev1.ExternalArtifact{ObjectMeta: metav1.ObjectMeta{Name: "shop", Namespace: "apps"}}
	for reason, change := range map[string]func(*world, *v1alpha1.FoldedArtifact){
		reasonAccessDenied: func(w *world, o *v1alpha1.FoldedArtifact) {
			o.Spec.SourceRef.Namespace, w.AllowCrossNamespace = "other", false
		},
		reasonInvalid: func(_ *world, o *v1alpha1.FoldedArtifact) {
			o.Spec.SourceRef = v1alpha1.SourceReference{Kind: "ExternalArtifact", Name: "shop"}
		},
		reasonOwnerConflict: func(w *world, _ *v1alpha1.FoldedArtifact) {
			if err := w.Create(w.t.Context(), foreign.DeepCopy()); err != nil {
				w.t.Fatal(err)
			}
		},
	} {
		t.Run(reason, func(t *testing.T) {
			w := newWorld(t, fleet("main@sha1:1"))
			o := shop()
			change(w, o)
			if err := w.Create(t.Context(), o); err != nil {
				t.Fatal(err)
			}
			found, result := w.reconcile()
			if conditions.GetReason(found, meta.StalledCondition) != reason || !result.IsZero() {
				t.Fatalf("got %+v, %v", found.Status, result)
			}
			if conditions.Has(found, meta.ReconcilingCondition) {
				t.Errorf("got %+v", found.Status.Conditions)
			}
		})
	}
}

func TestASuspendedObjectIsLeftAlone(t *testing.T) {
	o := shop()
	o.Spec.Suspend = true
	w := newWorld(t, o, fleet("main@sha1:1"))
	if found, result := w.reconcile(); len(found.Finalizers) > 0 || !result.IsZero() || len(found.Status.Conditions) > 0 {
		t.Fatalf("got %+v", found)
	}
}

func TestAKeyIsReadFromTheNamedSecretAlone(t *testing.T) {
	o := shop()
	o.Spec.Decryption = &v1alpha1.Decryption{Provider: "sops", SecretRef: v1alpha1.SecretReference{Name: "keys"}}
	secret := func(version, key string) *corev1.Secret {
		return &corev1.Secret{
			ObjectMeta: metav1.ObjectMeta{Name: "keys", Namespace: "apps", ResourceVersion: version},
			Data:       map[string][]byte{"b.agekey": []byte(key + "\n"), "a.agekey": []byte("first"), "other": []byte("x")},
		}
	}
	first, err := newWorld(t, secret("1", "one")).keysOf(t.Context(), o)
	if err != nil || len(first.env) != 1 || first.env[0] != "SOPS_AGE_KEY=first\none" {
		t.Fatalf("got %+v, %v", first, err)
	}
	second, err := newWorld(t, secret("2", "two")).keysOf(t.Context(), o)
	if err != nil || second.version == first.version {
		t.Fatalf("a change of the key is not seen: %+v, %v", second, err)
	}
	empty := secret("1", "x")
	empty.Data = nil
	for _, w := range []*world{newWorld(t), newWorld(t, empty)} {
		if _, err := w.keysOf(t.Context(), o); err == nil {
			t.Error("expected an error")
		}
	}
}

func TestAnOldCacheIsNotActedOn(t *testing.T) {
	w := newWorld(t, shop(), fleet("main@sha1:1"))
	w.reconcile()
	w.written.Store(client.ObjectKey{Namespace: "apps", Name: "shop"}, "999999")
	if _, result := w.reconcile(); result.RequeueAfter != cacheWait {
		t.Fatalf("got %v", result)
	}
}

func TestDeletionRemovesWhatIsOurs(t *testing.T) {
	w := newWorld(t, shop(), fleet("main@sha1:1"))
	o, _ := w.reconcile()
	stored := w.Store.Stored(o)
	if err := w.Delete(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Reconcile(t.Context(), ctrl.Request{NamespacedName: client.ObjectKeyFromObject(o)}); err != nil {
		t.Fatal(err)
	}
	for _, each := range []client.Object{o, &sourcev1.ExternalArtifact{}} {
		if err := w.Get(t.Context(), client.ObjectKeyFromObject(o), each); err == nil {
			t.Errorf("%T is still there", each)
		}
	}
	if w.Store.Storage.ArtifactExist(stored) {
		t.Error("the file is still there")
	}
}

func TestAStatusThatIsChangedByOthersIsSeen(t *testing.T) {
	w := newWorld(t, shop(), fleet("main@sha1:1"))
	w.reconcile()
	announced := w.announcedArtifact()
	if !w.isAnnounced(announced) {
		t.Fatal("our own write is not known")
	}
	announced.Status.Artifact.Digest = digest
	if w.isAnnounced(announced) {
		t.Fatal("a change is taken for our own write")
	}
	if err := w.Status().Update(t.Context(), announced); err != nil {
		t.Fatal(err)
	}
	w.reconcile()
	if !w.isAnnounced(w.announcedArtifact()) {
		t.Fatal("it did not come back")
	}
}

func TestTheClockJumps(t *testing.T) {
	written := time.Now()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, shop(), fleet("main@sha1:0"))
		w.reconcile()
		// Files keep the real time. This clock starts in 2000, then is set to a day before the files, and to a day after.
		for round, jump := range []time.Duration{0, time.Until(written.AddDate(0, 0, -1)), 48 * time.Hour} {
			time.Sleep(jump)
			unchanged, _ := w.reconcile()
			w.files["c.yaml"] = fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c-%d}\n", round)
			w.push(fmt.Sprintf("main@sha1:%d", round+1))
			published, result := w.reconcile()
			if !conditions.IsReady(published) || published.Status.Artifact.Digest == unchanged.Status.Artifact.Digest {
				t.Fatalf("round %d: got %+v", round, published.Status)
			}
			if fault := w.Store.Fault(w.Store.Stored(published)); fault != "" {
				t.Errorf("round %d: what is published: %s", round, fault)
			}
			if result.RequeueAfter < 50*time.Minute || result.RequeueAfter > 70*time.Minute {
				t.Errorf("round %d: looks again after %s", round, result.RequeueAfter)
			}
			if again, _ := w.reconcile(); again.ResourceVersion != published.ResourceVersion {
				t.Errorf("round %d: a check without a change wrote something", round)
			}
		}
	})
}
