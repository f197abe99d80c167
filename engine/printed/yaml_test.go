package printed

import (
	"encoding/json"
	"math"
	"math/rand"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

const seed = 20261129

func TestRandomValuesArePrintedAlike(t *testing.T) {
	random := rand.New(rand.NewSource(seed))
	short := 0
	for range 20_000 {
		text, err := json.Marshal(valueOf(random, 4))
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := read(text); ok {
			short++
		}
		got, gotErr := FromJSON(text)
		want, wantErr := yaml.JSONToYAML(text)
		if string(got) != string(want) || (gotErr == nil) != (wantErr == nil) {
			t.Fatalf("of %s\ngot  %q %v\nwant %q %v", text, got, gotErr, want, wantErr)
		}
	}
	if short < 5_000 {
		t.Errorf("only %d are read as JSON", short)
	}
}

func TestWhatYAMLCannotReadIsRefused(t *testing.T) {
	for _, text := range []string{"\x7f", "\u0080", "\uffff"} {
		if quoted, err := FromJSON([]byte(`{"key":"` + text + `"}`)); err == nil {
			t.Errorf("%q is printed as %q", text, quoted)
		}
	}
	// Each character has six bytes.
	key, err := json.Marshal(map[string]int{strings.Repeat("<", 171): 1})
	if err != nil {
		t.Fatal(err)
	}
	if printed, err := FromJSON(key); err == nil {
		t.Errorf("the long key is printed: %q", printed)
	}
}

var words = strings.Split(`a b|yes|<<|=|~|null|1|0x1f|1e3|.5|-|- a|# a|a: b|a #b|{|[|*a|&a|!a|%|@|'|"|\|2001-01-01|12:30:45|0b1|0o7|1_000|+1|.inf|.nan||on`, "|")

var characters = []rune("ab <>&:#-\n\t\r\b\f\x00\x1b\\/\"'é\u0085\u2028\ufeff\U0001f600")

func textOf(random *rand.Rand) string {
	if random.Intn(3) > 0 {
		return words[random.Intn(len(words))]
	}
	// Most have no character beyond ASCII.
	known := characters[:20+random.Intn(2)*(len(characters)-20)]
	text := make([]rune, random.Intn(12))
	for i := range text {
		text[i] = known[random.Intn(len(known))]
	}
	return strings.Repeat(string(text), 1+random.Intn(40)*random.Intn(2)*random.Intn(2))
}

func valueOf(random *rand.Rand, depth int) any {
	switch kind := random.Intn(9); {
	case kind < 3 && depth > 0:
		mapping := map[string]any{}
		for range random.Intn(5) {
			mapping[textOf(random)] = valueOf(random, depth-1)
		}
		return mapping
	case kind == 3 && depth > 0:
		list := make([]any, random.Intn(4))
		for i := range list {
			list[i] = valueOf(random, depth-1)
		}
		return list
	case kind == 4:
		return []any{nil, true, false, math.MaxInt64, uint64(math.MaxUint64), math.MinInt64, 0, math.Copysign(0, -1)}[random.Intn(8)]
	case kind == 5:
		return random.NormFloat64() * math.Pow10(random.Intn(60)-30)
	case kind == 6:
		return float64(random.Int63n(1000)) * math.Pow10(random.Intn(25))
	case kind == 7:
		return random.Int63() >> random.Intn(64)
	}
	return textOf(random)
}
