package controller

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fluxcd/pkg/apis/meta"
	"github.com/fluxcd/pkg/artifact/config"
	"github.com/fluxcd/pkg/artifact/storage"
	"github.com/fluxcd/pkg/runtime/conditions"
	sourcev1 "github.com/fluxcd/source-controller/api/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/json"

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
		os.Exit(build.Main(os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

type world struct {
	*Reconciler
	t      *testing.T
	events []string
	// files of the source, by name.
	files map[string]string
	// folds are the runs of steps.
	folds map[string]int
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
	w := &world{t: t, folds: map[string]int{}, files: map[string]string{
		"c.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n",
	}}
	w.Reconciler = &Reconciler{
		Client: fake.NewClientBuilder().WithScheme(scheme).WithObjects(objects...).
			WithStatusSubresource(&v1alpha1.FoldedArtifact{}, &sourcev1.ExternalArtifact{}).
			WithIndex(&v1alpha1.FoldedArtifact{}, sourceIndex, indexOf).Build(),
		Events: func(_ *v1alpha1.FoldedArtifact, kind, reason, message string) {
			w.events = append(w.events, kind+" "+reason+" "+message)
		},
		Store: store.Store{Storage: stored}, Name: "valuefold-controller", Version: "1",
		AllowCrossNamespace: true, SourceWait: time.Second, MostTime: time.Minute,
		Sources: source.NewCache(t.TempDir(), 0, time.Minute, w.fetch),
		Folder: fold.Folder{
			Builder: build.NewBuilder(1<<20, 512<<20),
			Program: program.New(path, os.Getenv("PATH"), 1<<20, 512<<20),
			Observe: func(step string, _ time.Duration) { w.folds[step]++ },
		},
	}
	return w
}

func (w *world) fetch(_ context.Context, _ *meta.Artifact, folder string) error {
	if len(w.files) == 0 {
		return errors.New("away: " + folder)
	}
	for name, text := range w.files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(folder, name)), 0o700); err != nil {
			return err
		}
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
	texts, w.events = w.events, nil
	return texts
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
			failed.Status.Artifact.Digest != good.Status.Artifact.Digest || result.RequeueAfter < 50*time.Minute ||
			failed.Status.LastAttemptedRevision != "main@sha1:2" || failed.Status.LastPublishedRevision != "main@sha1:1" {
			t.Fatalf("got %+v", failed.Status)
		}
	}
	if events := w.drainEvents(); len(events) != 1 || !strings.HasPrefix(events[0], "Warning BuildFailed") {
		t.Errorf("got %q", events)
	}
	if w.folds["build"] != 2 {
		t.Errorf("a fault that only an edit mends was built %d times", w.folds["build"]-1)
	}
	if w.announcedArtifact().Status.Artifact.Digest != good.Status.Artifact.Digest {
		t.Error("the last artifact did not stay")
	}
	// The content is as before: the end of the fault is what is new.
	w.files["c.yaml"] = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n"
	w.push("main@sha1:3")
	if mended, _ := w.reconcile(); !conditions.IsReady(mended) || mended.Status.FailureCount != 0 || mended.Status.Failures != nil {
		t.Fatalf("got %+v", mended.Status)
	}
	w.reconcile()
	if events := w.drainEvents(); len(events) != 1 || !strings.HasPrefix(events[0], "Normal Succeeded") {
		t.Errorf("got %q", events)
	}
}

func TestNoMoreOfAFaultIsKeptThanAStatusHolds(t *testing.T) {
	w := newWorld(t, shop(), fleet("main@sha1:1"))
	layer := "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: l%d, annotations: {valuefold.dev/into: ConfigMap/gone}}\ndata: {values.yaml: a}\n"
	for i := range mostFailures + 5 {
		w.files["c.yaml"] += fmt.Sprintf(layer, i)
	}
	failed, _ := w.reconcile()
	found, _ := w.outcomes.Load(client.ObjectKeyFromObject(failed))
	if kept := found.(*outcome).result.Failures; cap(kept) >= failed.Status.FailureCount || len(failed.Status.Failures) != mostFailures {
		t.Errorf("%d of %d are kept", cap(kept), failed.Status.FailureCount)
	}
	more := fmt.Sprintf(" and %d more", failed.Status.FailureCount-1)
	if failed.Status.FailureCount <= mostFailures || !strings.HasSuffix(conditions.GetMessage(failed, meta.ReadyCondition), more) {
		t.Errorf("got %+v", failed.Status)
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
	if conditions.GetReason(away, meta.ReadyCondition) != reasonFetchFailed || strings.Contains(message, os.TempDir()) ||
		!strings.HasPrefix(message, "GitRepository apps/fleet, http://source/main@sha1:1: away") {
		t.Fatalf("got %+v", away.Status)
	}
}

func TestARefusedArchiveIsFetchedOncePerRevision(t *testing.T) {
	w := newWorld(t, shop(), fleet("main@sha1:1"))
	good, _ := w.reconcile()
	fetches, size := 0, int64(1)
	w.Sources = source.NewCache(t.TempDir(), 0, time.Minute, func(ctx context.Context, a *meta.Artifact, folder string) error {
		fetches++
		a.Size = &size
		return source.Fetcher(0, source.Limits{})(ctx, a, folder)
	})
	for range 3 {
		w.push("main@sha1:2")
		refused, result := w.reconcile()
		if conditions.GetReason(refused, meta.ReadyCondition) != reasonFetchFailed || refused.Status.FailureCount != 1 ||
			refused.Status.Artifact.Digest != good.Status.Artifact.Digest || result.RequeueAfter < 50*time.Minute {
			t.Fatalf("got %+v, %v", refused.Status, result)
		}
	}
	w.push("main@sha1:3")
	if w.reconcile(); fetches != 2 {
		t.Errorf("fetched %d times", fetches)
	}
}

func TestAFaultIsSaidAgainWhenItsSourceIsBack(t *testing.T) {
	w := newWorld(t, shop(), fleet("main@sha1:1"))
	w.files["c.yaml"] = "a: [\n"
	broken, _ := w.reconcile()
	if err := w.Delete(t.Context(), fleet("")); err != nil {
		t.Fatal(err)
	}
	w.reconcile()
	if err := w.Create(t.Context(), fleet("main@sha1:1")); err != nil {
		t.Fatal(err)
	}
	again, result := w.reconcile()
	if conditions.GetReason(again, meta.ReadyCondition) != "BuildFailed" || result.RequeueAfter < 50*time.Minute ||
		conditions.GetMessage(again, meta.ReadyCondition) != conditions.GetMessage(broken, meta.ReadyCondition) || w.folds["build"] != 1 {
		t.Fatalf("%v: got %+v", w.folds, again.Status)
	}
}

func TestASourceOfEachKind(t *testing.T) {
	named := metav1.ObjectMeta{Name: "fleet", Namespace: "apps"}
	artifact := fleet("latest@sha256:1").Status.Artifact
	artifact.Metadata = map[string]string{store.RevisionKey: "main@sha1:1"}
	for kind, filled := range map[string]client.Object{
		"GitRepository":    &sourcev1.GitRepository{ObjectMeta: named, Status: sourcev1.GitRepositoryStatus{Artifact: artifact}},
		"OCIRepository":    &sourcev1.OCIRepository{ObjectMeta: named, Status: sourcev1.OCIRepositoryStatus{Artifact: artifact}},
		"Bucket":           &sourcev1.Bucket{ObjectMeta: named, Status: sourcev1.BucketStatus{Artifact: artifact}},
		"ExternalArtifact": &sourcev1.ExternalArtifact{ObjectMeta: named, Status: sourcev1.ExternalArtifactStatus{Artifact: artifact}},
	} {
		t.Run(kind, func(t *testing.T) {
			o, empty := shop(), newSource(kind)
			o.Spec.SourceRef.Kind = kind
			empty.SetName("fleet")
			empty.SetNamespace("apps")
			w := newWorld(t, o, empty)
			if waiting, _ := w.reconcile(); conditions.GetReason(waiting, meta.ReadyCondition) != reasonSourceNotReady {
				t.Errorf("got %+v", waiting.Status)
			}
			after := newSource(kind)
			content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(filled)
			if err != nil {
				t.Fatal(err)
			}
			after.Object = content
			if !hasNewArtifact(event.UpdateEvent{ObjectOld: empty, ObjectNew: after}) ||
				hasNewArtifact(event.UpdateEvent{ObjectOld: after, ObjectNew: after}) {
				t.Error("a new artifact is not seen, or an old one is")
			}
			for _, each := range sourceKinds {
				users := slices.DeleteFunc(w.usersOf(each)(t.Context(), after), func(r ctrl.Request) bool { return r.Name == "fleet" })
				if len(users) == 1 != (each == kind) {
					t.Errorf("a %s of that name has the users %v", each, users)
				}
			}
			w = newWorld(t, o, filled)
			if published, _ := w.reconcile(); !conditions.IsReady(published) ||
				published.Status.LastPublishedRevision != "latest@sha256:1" ||
				published.Status.LastAttemptedOriginRevision != "main@sha1:1" {
				t.Errorf("got %+v", published.Status)
			}
		})
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

func TestAnObjectThatIsSuspendedDuringAFoldSaysNoMoreThatItRuns(t *testing.T) {
	o := shop()
	conditions.MarkUnknown(o, meta.ReadyCondition, meta.ProgressingReason, "folding main@sha1:1")
	conditions.MarkReconciling(o, meta.ProgressingReason, "folding main@sha1:1")
	o.Spec.Suspend = true
	w := newWorld(t, o, fleet("main@sha1:1"))
	if found, _ := w.reconcile(); len(found.Status.Conditions) > 0 {
		t.Fatalf("got %+v", found.Status.Conditions)
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
	old := &v1alpha1.FoldedArtifact{}
	if err := w.Get(t.Context(), client.ObjectKeyFromObject(shop()), old); err != nil {
		t.Fatal(err)
	}
	published, _ := w.reconcile()
	w.Client = interceptor.NewClient(w.Client.(client.WithWatch), interceptor.Funcs{
		Get: func(ctx context.Context, c client.WithWatch, key client.ObjectKey, o client.Object, options ...client.GetOption) error {
			if found, is := o.(*v1alpha1.FoldedArtifact); is {
				old.DeepCopyInto(found)
				found.Finalizers = published.Finalizers
				return nil
			}
			return c.Get(ctx, key, o, options...)
		},
	})
	result, err := w.Reconcile(t.Context(), ctrl.Request{NamespacedName: client.ObjectKeyFromObject(old)})
	if err != nil || result.RequeueAfter != cacheWait || w.folds["fold"] != 1 {
		t.Fatalf("got %v, %v after %d folds", result, err, w.folds["fold"])
	}
}

func TestAnExternalArtifactOfAnOldCacheIsNotWritten(t *testing.T) {
	w := newWorld(t, shop(), fleet("main@sha1:1"))
	w.reconcile()
	old, direct := w.announcedArtifact(), w.Client
	newer := old.DeepCopy()
	newer.Labels["other"] = "x"
	if err := w.Update(t.Context(), newer); err != nil {
		t.Fatal(err)
	}
	w.Client = interceptor.NewClient(w.Client.(client.WithWatch), interceptor.Funcs{
		Get: func(ctx context.Context, c client.WithWatch, key client.ObjectKey, o client.Object, options ...client.GetOption) error {
			if found, is := o.(*unstructured.Unstructured); is && found.GetKind() == "ExternalArtifact" {
				content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(old)
				found.Object = content
				return err
			}
			return c.Get(ctx, key, o, options...)
		},
	})
	w.files["c.yaml"] += "data: {a: b}\n"
	w.push("main@sha1:2")
	if _, result := w.reconcile(); result.RequeueAfter != cacheWait || w.announcedArtifact().ResourceVersion != newer.ResourceVersion {
		t.Fatalf("got %v, %+v", result, w.announcedArtifact())
	}
	w.Client = direct
	if o, _ := w.reconcile(); w.announcedArtifact().Status.Artifact.Digest != o.Status.Artifact.Digest || w.folds["fold"] != 2 {
		t.Errorf("%v: got %+v", w.folds, o.Status)
	}
}

func TestDeletionRemovesWhatIsOurs(t *testing.T) {
	w := newWorld(t, shop(), fleet("main@sha1:1"))
	o, _ := w.reconcile()
	stored := w.Store.Stored(o, o.Status.Artifact)
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

func TestWhatOthersMakeOfAnExternalArtifactIsUndone(t *testing.T) {
	w := newWorld(t, shop(), fleet("main@sha1:1"))
	w.reconcile()
	wanted := w.announcedArtifact()
	for name, edit := range map[string]func(*sourcev1.ExternalArtifact){
		"digest":     func(e *sourcev1.ExternalArtifact) { e.Status.Artifact.Digest = digest },
		"revision":   func(e *sourcev1.ExternalArtifact) { e.Status.Artifact.Revision = "latest@sha256:0" },
		"URL":        func(e *sourcev1.ExternalArtifact) { e.Status.Artifact.URL = "http://evil" },
		"size":       func(e *sourcev1.ExternalArtifact) { e.Status.Artifact.Size = nil },
		"origin":     func(e *sourcev1.ExternalArtifact) { e.Status.Artifact.Metadata = nil },
		"all":        func(e *sourcev1.ExternalArtifact) { e.Status.Artifact = nil },
		"condition":  func(e *sourcev1.ExternalArtifact) { conditions.MarkFalse(e, meta.ReadyCondition, "X", "x") },
		"conditions": func(e *sourcev1.ExternalArtifact) { e.Status.Conditions = nil },
		"source":     func(*sourcev1.ExternalArtifact) {},
	} {
		t.Run(name, func(t *testing.T) {
			edited := w.announcedArtifact()
			edit(edited)
			if err := w.Status().Update(t.Context(), edited); err != nil {
				t.Fatal(err)
			}
			edited = w.announcedArtifact()
			if name == "source" {
				edited.Spec.SourceRef.Name = "evil"
			}
			if err := w.Update(t.Context(), edited); err != nil {
				t.Fatal(err)
			}
			w.reconcile()
			got := w.announcedArtifact()
			for _, each := range []*sourcev1.ExternalArtifact{got, wanted} {
				each.ResourceVersion, each.ManagedFields = "", nil
				each.Status.Artifact.LastUpdateTime = metav1.Time{}
				each.Status.Conditions[0].LastTransitionTime = metav1.Time{}
			}
			if !equality.Semantic.DeepEqual(got, wanted) {
				t.Errorf("got %+v", got)
			}
		})
	}
	if w.folds["fold"] != 1 {
		t.Errorf("folded %d times", w.folds["fold"])
	}
}

func TestAnExternalArtifactIsRestoredWithoutItsSource(t *testing.T) {
	w := newWorld(t, shop(), fleet("main@sha1:1"))
	w.reconcile()
	wanted := w.announcedArtifact()
	for _, each := range []client.Object{wanted, fleet("")} {
		if err := w.Delete(t.Context(), each); err != nil {
			t.Fatal(err)
		}
	}
	o, _ := w.reconcile()
	if conditions.GetReason(o, meta.ReadyCondition) != reasonSourceNotReady ||
		w.announcedArtifact().Status.Artifact.Digest != wanted.Status.Artifact.Digest {
		t.Errorf("got %+v", o.Status)
	}
}

// Labels, metadata and conditions of others stay, and cause no writes for ever.
func TestWhatOthersAddToAnExternalArtifactStays(t *testing.T) {
	w := newWorld(t, shop(), fleet("main@sha1:1"))
	w.reconcile()
	edited := w.announcedArtifact()
	edited.Status.Artifact.Metadata["other"] = "x"
	edited.Status.Conditions = append(edited.Status.Conditions, metav1.Condition{Type: "Other", Status: "True", Reason: "X"})
	if err := w.Status().Update(t.Context(), edited); err != nil {
		t.Fatal(err)
	}
	version := w.announcedArtifact().ResourceVersion
	w.reconcile()
	if w.announcedArtifact().ResourceVersion != version {
		t.Error("it was written")
	}
}

func TestADamagedFileIsMadeAgain(t *testing.T) {
	w := newWorld(t, shop(), fleet("main@sha1:1"))
	o, _ := w.reconcile()
	file := w.Store.Storage.LocalPath(w.Store.Stored(o, o.Status.Artifact))
	for _, damage := range []func() error{
		func() error { return os.Remove(file) },
		func() error { return os.WriteFile(file, []byte("x"), 0o600) },
	} {
		if err := damage(); err != nil {
			t.Fatal(err)
		}
		again, _ := w.reconcile()
		if !w.Store.Has(again, again.Status.Artifact) || again.Status.Artifact.Digest != o.Status.Artifact.Digest {
			t.Errorf("got %+v", again.Status)
		}
	}
}

func TestAPushThatTouchesOthersFoldsNothing(t *testing.T) {
	o := shop()
	o.Spec.Build.Path = "shop"
	w := newWorld(t, o, fleet("main@sha1:1"))
	w.files = map[string]string{
		"shop/kustomization.yaml": "resources: [../base]\n", "base/kustomization.yaml": "resources: [c.yaml]\n",
		"base/c.yaml": w.files["c.yaml"], "other/c.yaml": "x",
	}
	first, _ := w.reconcile()
	w.files["other/c.yaml"] = "y"
	w.push("main@sha1:2")
	w.drainEvents()
	second, _ := w.reconcile()
	if w.folds["build"] != 1 || w.folds["fold"] != 1 || second.Status.LastPublishedRevision != "main@sha1:2" ||
		second.Status.Artifact.OriginRevision != "main@sha1:2" || second.Status.Artifact.Digest != first.Status.Artifact.Digest ||
		w.announcedArtifact().Status.Artifact.Metadata[store.RevisionKey] != "main@sha1:2" || len(w.drainEvents()) > 0 {
		t.Fatalf("%v: got %+v", w.folds, second.Status)
	}
	for revision, change := range map[string]func(){
		"main@sha1:3": func() { w.files["base/c.yaml"] += "data: {a: b}\n" },
		"main@sha1:4": func() { w.Version = "2" },
		"main@sha1:5": func() {
			o := shop()
			if err := w.Get(t.Context(), client.ObjectKeyFromObject(o), o); err != nil {
				t.Fatal(err)
			}
			o.Spec.Build.Path, o.Generation = "base", o.Generation+1
			if err := w.Update(t.Context(), o); err != nil {
				t.Fatal(err)
			}
		},
	} {
		folds := w.folds["build"]
		change()
		w.push(revision)
		if w.reconcile(); w.folds["build"] != folds+1 {
			t.Errorf("%s was not built", revision)
		}
	}
}

func TestWhatIsBuiltAsBeforeIsNotFolded(t *testing.T) {
	o := shop()
	o.Spec.Fold = &v1alpha1.Settings{Path: "fold.yaml"}
	o.Spec.Verify = &v1alpha1.Verify{}
	w := newWorld(t, o, fleet("main@sha1:1"))
	w.files["kustomization.yaml"] = "resources: [c.yaml]\n"
	w.files["fold.yaml"] = "apiVersion: valuefold.dev/v1alpha1\nkind: ValueFold\nmetadata: {name: x}\n"
	first, _ := w.reconcile()
	w.files["c.yaml"] = "# another comment\n" + w.files["c.yaml"]
	w.push("main@sha1:2")
	second, _ := w.reconcile()
	if w.folds["build"] != 2 || w.folds["fold"] != 1 || w.folds["verify"] != 1 || !conditions.IsReady(second) ||
		second.Status.LastPublishedRevision != "main@sha1:2" || second.Status.Artifact.Digest != first.Status.Artifact.Digest ||
		second.Status.Artifact.Items != 1 || second.Status.Warnings != first.Status.Warnings {
		t.Fatalf("%v: got %+v", w.folds, second.Status)
	}
	for index, change := range []func(){
		func() { w.files["c.yaml"] += "data: {a: b}\n" },
		func() { w.files["fold.yaml"] += "spec: {layers: keep}\n" },
		// What is published is not there any more.
		func() {
			if err := w.Store.RemoveAll(o); err != nil {
				t.Fatal(err)
			}
			w.files["c.yaml"] += "# one more\n"
		},
	} {
		change()
		w.push(fmt.Sprintf("main@sha1:%d", index+3))
		if last, _ := w.reconcile(); w.folds["fold"] != index+2 || !conditions.IsReady(last) {
			t.Fatalf("%d: %v: %+v", index, w.folds, last.Status)
		}
	}
}

func TestAFaultThatIsUntouchedByAPushIsKept(t *testing.T) {
	w := newWorld(t, shop(), fleet("main@sha1:1"))
	w.files = map[string]string{"kustomization.yaml": "resources: [gone.yaml]\n"}
	w.reconcile()
	w.files["other/README"] = "x"
	w.push("main@sha1:2")
	kept, _ := w.reconcile()
	if w.folds["build"] != 1 || kept.Status.FailureCount != 1 || kept.Status.LastAttemptedRevision != "main@sha1:2" {
		t.Fatalf("%v: got %+v", w.folds, kept.Status)
	}
	// A new controller knows what the status says.
	w.outcomes.Clear()
	if after, _ := w.reconcile(); w.folds["build"] != 1 || after.Status.FailureCount != 1 {
		t.Fatalf("%v: got %+v", w.folds, after.Status)
	}
	w.files["gone.yaml"] = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n"
	w.push("main@sha1:3")
	if mended, _ := w.reconcile(); !conditions.IsReady(mended) {
		t.Fatalf("got %+v", mended.Status)
	}
}

// Every object of every namespace would be unseen for what one says.
func TestAnObjectThatCannotBeReadHindersNoOther(t *testing.T) {
	var list v1alpha1.FoldedArtifactList
	for name, text := range map[string]string{
		"a duration": `{"metadata": {"name": "x"}, "spec": {"interval": "9999999999h"}}`,
		"a number":   `{"metadata": {"name": "x"}, "status": {"failureCount": 1e30}}`,
		"a time":     `{"metadata": {"name": "x"}, "status": {"conditions": [{"lastTransitionTime": "2020-01-01t00:00:00z"}]}}`,
		"a type":     `{"metadata": {"name": "x"}, "spec": []}`,
	} {
		text = `{"items": [` + text + `, {"metadata": {"name": "shop"}, "spec": {"build": {"path": "a"}}}]}`
		if err := json.UnmarshalCaseSensitivePreserveInts([]byte(text), &list); err != nil || len(list.Items) != 2 ||
			list.Items[0].Name != "x" || list.Items[1].Spec.Build.Path != "a" {
			t.Errorf("%s: got %+v, %v", name, list.Items, err)
		}
	}
	o := list.Items[0]
	o.Spec.Interval = "9999999999h"
	if o.Interval() != time.Hour {
		t.Errorf("got %s", o.Interval())
	}
	source := newSource("GitRepository")
	source.Object["status"] = map[string]any{"artifact": map[string]any{"revision": "main", "size": "large"}}
	if _, err := artifactIn(source); err == nil {
		t.Error("expected an error")
	}
	bad := shop()
	bad.Unreadable = "json: cannot unmarshal"
	var stalled *stalledError
	if err := (&Reconciler{}).check(bad); !errors.As(err, &stalled) || stalled.reason != reasonInvalid {
		t.Errorf("got %v", err)
	}
}

func TestAnOwnerConflictEndsWithTheOther(t *testing.T) {
	foreign := &sourcev1.ExternalArtifact{ObjectMeta: metav1.ObjectMeta{Name: "shop", Namespace: "apps"}}
	w := newWorld(t, shop(), fleet("main@sha1:1"), foreign)
	if o, _ := w.reconcile(); conditions.GetReason(o, meta.StalledCondition) != reasonOwnerConflict ||
		o.Status.Artifact != nil || o.Status.LastPublishedRevision != "" {
		t.Fatalf("got %+v", o.Status)
	}
	if err := w.Delete(t.Context(), foreign); err != nil {
		t.Fatal(err)
	}
	gone := newSource("ExternalArtifact")
	gone.SetName("shop")
	gone.SetNamespace("apps")
	woken := w.usersOf("ExternalArtifact")(t.Context(), gone)
	if !slices.Contains(woken, ctrl.Request{NamespacedName: client.ObjectKeyFromObject(shop())}) {
		t.Fatalf("its deletion wakes %v", woken)
	}
	if o, _ := w.reconcile(); !conditions.IsReady(o) || conditions.Has(o, meta.StalledCondition) {
		t.Fatalf("got %+v", o.Status)
	}
}

func TestAFoldOfAnOldRevisionMayRunToItsEnd(t *testing.T) {
	for _, finishes := range []bool{false, true} {
		w := newWorld(t, shop(), fleet("main@sha1:1"))
		w.FinishOldRevisions = finishes
		attempt, end := w.attempts.begin(t.Context(), client.ObjectKeyFromObject(shop()))
		before, after := newSource("GitRepository"), newSource("GitRepository")
		after.SetName("fleet")
		after.SetNamespace("apps")
		after.Object["status"] = map[string]any{"artifact": map[string]any{"revision": "main@sha1:2", "digest": digest}}
		isSeen := w.isOfInterest("GitRepository")(event.UpdateEvent{ObjectOld: before, ObjectNew: after})
		if isSeen != true || (attempt.Err() == nil) != finishes {
			t.Errorf("%t: seen %t, %v", finishes, isSeen, attempt.Err())
		}
		end()
	}
}

func TestAFoldEndsWithItsObjectOrSource(t *testing.T) {
	w := newWorld(t, shop(), fleet("main@sha1:1"))
	name := client.ObjectKeyFromObject(shop())
	for _, isCancelled := range []bool{true, false, true} {
		running, end := w.attempts.begin(t.Context(), name)
		w.attempts.sourceMoved(name)
		if isOver := running.Err() != nil; isOver != isCancelled {
			t.Errorf("the source moved: got %t", isOver)
		}
		w.attempts.objectChanged(name)
		if running.Err() == nil {
			t.Error("the object changed")
		}
		end()
	}
	w.attempts.sourceMoved(name)
	w.Sources = source.NewCache(t.TempDir(), 0, time.Minute, func(ctx context.Context, _ *meta.Artifact, _ string) error {
		w.attempts.objectChanged(name)
		<-ctx.Done()
		return ctx.Err()
	})
	if o, result := w.reconcile(); !result.IsZero() || conditions.Has(o, meta.ReadyCondition) || len(w.drainEvents()) > 0 {
		t.Errorf("got %+v, %v", o.Status, result)
	}
}

// The source is read after the object: it stands for the time between that and the fold.
func TestAChangeBeforeTheFoldEndsIt(t *testing.T) {
	w := newWorld(t, shop(), fleet("main@sha1:1"))
	w.Client = interceptor.NewClient(w.Client.(client.WithWatch), interceptor.Funcs{
		Get: func(ctx context.Context, c client.WithWatch, key client.ObjectKey, o client.Object, options ...client.GetOption) error {
			if key.Name == "fleet" {
				w.attempts.objectChanged(client.ObjectKeyFromObject(shop()))
			}
			return c.Get(ctx, key, o, options...)
		},
	})
	if o, _ := w.reconcile(); len(w.folds) > 0 || conditions.Has(o, meta.ReadyCondition) {
		t.Errorf("%v: got %+v", w.folds, o.Status)
	}
}

func TestTheClockJumps(t *testing.T) {
	w := newWorld(t, shop(), fleet("main@sha1:0"))
	w.reconcile()
	// The files are as old as the clock makes them: first it is right, then a day before them, then two days after.
	for round, jump := range []time.Duration{0, -24 * time.Hour, 48 * time.Hour} {
		age := time.Now().Add(-jump)
		err := filepath.WalkDir(w.Store.Storage.BasePath, func(path string, _ os.DirEntry, err error) error {
			return errors.Join(err, os.Chtimes(path, age, age))
		})
		if err != nil {
			t.Fatal(err)
		}
		unchanged, _ := w.reconcile()
		w.files["c.yaml"] = fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c-%d}\n", round)
		w.push(fmt.Sprintf("main@sha1:%d", round+1))
		published, result := w.reconcile()
		if !conditions.IsReady(published) || published.Status.Artifact.Digest == unchanged.Status.Artifact.Digest {
			t.Fatalf("round %d: got %+v", round, published.Status)
		}
		if !w.Store.Has(published, published.Status.Artifact) {
			t.Errorf("round %d: what is published is missing or corrupted", round)
		}
		if result.RequeueAfter < 50*time.Minute || result.RequeueAfter > 70*time.Minute {
			t.Errorf("round %d: looks again after %s", round, result.RequeueAfter)
		}
		if again, _ := w.reconcile(); again.ResourceVersion != published.ResourceVersion {
			t.Errorf("round %d: a check without a change wrote something", round)
		}
	}
}
