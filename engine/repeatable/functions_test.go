package repeatable

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/Masterminds/sprig/v3"
)

// What the engine calls impure for other templates is what is replaced here, but for the environment and the network, which Helm
// takes away, and for what takes a date and asks no clock.
func TestEveryImpureFunctionIsReplaced(t *testing.T) {
	judged, err := os.ReadFile("../functions.txt")
	if err != nil {
		t.Fatal(err)
	}
	_, refused, _ := strings.Cut(string(judged), "\n# refused\n")
	taken := map[string]bool{"env": true, "expandenv": true, "getHostByName": true}
	dates := map[string]bool{"dateModify": true, "date_modify": true, "mustDateModify": true, "must_date_modify": true, "unixEpoch": true}
	all, real := Functions(), sprig.TxtFuncMap()
	for _, line := range strings.Split(refused, "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		for _, name := range strings.Fields(line) {
			if !taken[name] && !dates[name] && pointer(all[name]) == pointer(real[name]) {
				t.Errorf("%s is sprig's", name)
			}
		}
	}
}

func pointer(function any) uintptr { return reflect.ValueOf(function).Pointer() }
