package controller

import (
	"context"
	"errors"
	"testing"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"
)

// snapshots answers lists with one version after another.
type snapshots struct {
	client.Reader
	versions []string
	cancel   context.CancelFunc
}

func (s *snapshots) List(_ context.Context, list client.ObjectList, _ ...client.ListOption) error {
	if len(s.versions) == 0 {
		s.cancel()
		return nil
	}
	next := s.versions[0]
	s.versions = s.versions[1:]
	if next == "" {
		return errors.New("away")
	}
	list.SetResourceVersion(next)
	return nil
}

func TestAnEarlierStateIsSeen(t *testing.T) {
	for name, versions := range map[string][]string{
		"forward":  {"9", "9", "", "10", "100"},
		"restored": {"9", "100", "", "20"},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		err := History{Reader: &snapshots{versions: versions, cancel: cancel}, Every: time.Millisecond}.Start(ctx)
		if errors.Is(err, errWentBack) != (name == "restored") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
