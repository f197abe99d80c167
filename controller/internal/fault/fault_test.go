package fault

import "testing"

func TestMessagesAreCutInWholeCharacters(t *testing.T) {
	if got := Cut("añb", 2); got != "a…" {
		t.Fatalf("got %q", got)
	}
}
