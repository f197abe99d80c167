// Package repeatable has sprig's functions for charts, so that a chart renders alike every time and in both builds: the clock and the
// random numbers are constants, the zone is UTC, and mappings are visited in the order of their keys. What is random in a cluster
// has the right form and length here, and is no secret. With other constants (Otherwise) it is seen what depends on them.
package repeatable

import (
	"bytes"
	"encoding/base64"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/template"
	"time"

	"github.com/Masterminds/sprig/v3"
)

var (
	now     = time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC)
	variant int
)

// Otherwise lets all of them come out otherwise: 0 is how they usually do, and there are two more ways.
func Otherwise(way int) {
	variant = way
	now = time.Date(2000+way, time.Month(1+way), 1+way, way, way, way, way, time.UTC)
}

// What sprig's certificates are to a template.
type certificate struct{ Cert, Key string }

const (
	anyHash = "$2a$10$......................................................"
	anyUUID = "00000000-0000-4000-8000-000000000000"
	anyKey  = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"
	anyCert = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
)

// Functions are sprig's for texts.
func Functions() template.FuncMap {
	all := sprig.TxtFuncMap()
	dateInZone := all["dateInZone"].(func(string, any, string) string)
	durationRound := all["durationRound"].(func(any) string)
	inUTC := func(format string, date any) string { return dateInZone(format, known(date), "UTC") }
	maps.Copy(all, template.FuncMap{
		"now":            func() time.Time { return now },
		"ago":            func(date any) string { return now.Sub(timeOf(date)).Round(time.Second).String() },
		"date":           inUTC,
		"dateInZone":     func(format string, date any, _ string) string { return inUTC(format, date) },
		"date_in_zone":   func(format string, date any, _ string) string { return inUTC(format, date) },
		"htmlDate":       func(date any) string { return inUTC(time.DateOnly, date) },
		"htmlDateInZone": func(date any, _ string) string { return inUTC(time.DateOnly, date) },
		"toDate":         func(format, text string) time.Time { date, _ := time.Parse(format, text); return date },
		"mustToDate":     func(format, text string) (time.Time, error) { return time.Parse(format, text) },
		"durationRound": func(duration any) string {
			if since, ok := duration.(time.Time); ok {
				duration = int64(now.Sub(since))
			}
			return durationRound(duration)
		},
		"randAlphaNum":             repeated("abc"),
		"randAlpha":                repeated("abc"),
		"randAscii":                repeated("abc"),
		"randNumeric":              repeated("123"),
		"randBytes":                bytesOf,
		"randInt":                  func(least, most int) int { return least + variant%max(most-least, 1) },
		"shuffle":                  shuffle,
		"uuidv4":                   func() string { return varied(anyUUID, "0") },
		"bcrypt":                   func(string) string { return varied(anyHash, ".") },
		"htpasswd":                 func(name, _ string) string { return name + ":" + varied(anyHash, ".") },
		"encryptAES":               func(_, text string) string { return bytesOf(16 + len(text)) },
		"genPrivateKey":            func(string) string { return key() },
		"genCA":                    func(string, int) certificate { return certificate{cert(), key()} },
		"genCAWithKey":             func(_ string, _ int, key string) certificate { return certificate{cert(), key} },
		"genSelfSignedCert":        func(string, []any, []any, int) certificate { return certificate{cert(), key()} },
		"genSelfSignedCertWithKey": func(_ string, _, _ []any, _ int, key string) certificate { return certificate{cert(), key} },
		"genSignedCert":            func(string, []any, []any, int, any) certificate { return certificate{cert(), key()} },
		"genSignedCertWithKey":     func(_ string, _, _ []any, _ int, _ any, key string) certificate { return certificate{cert(), key} },
		"keys":                     keys,
		"values":                   values,
	})
	return all
}

func repeated(letters string) func(int) string {
	return func(count int) string { return strings.Repeat(letters[variant:variant+1], max(count, 0)) }
}

func bytesOf(count int) string {
	return base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{byte(variant)}, count))
}

func shuffle(text string) string {
	letters := []rune(text)
	at := min(variant, len(letters))
	return string(append(letters[at:], letters[:at]...))
}

// varied is the text with another digit in place of one.
func varied(text, digit string) string {
	if variant == 0 {
		return text
	}
	return strings.ReplaceAll(text, digit, strconv.Itoa(variant))
}

func key() string  { return varied(anyKey, "A") }
func cert() string { return varied(anyCert, "A") }

// What sprig takes for a date; of anything else it takes the time.
func known(date any) any {
	switch date.(type) {
	case time.Time, *time.Time, int64, int, int32:
		return date
	}
	return now
}

func timeOf(date any) time.Time {
	switch date := date.(type) {
	case time.Time:
		return date
	case int64:
		return time.Unix(date, 0)
	case int:
		return time.Unix(int64(date), 0)
	}
	return now
}

func keys(dicts ...map[string]any) []string {
	all := []string{}
	for _, dict := range dicts {
		all = append(all, slices.Sorted(maps.Keys(dict))...)
	}
	return all
}

func values(dict map[string]any) []any {
	all := []any{}
	for _, key := range slices.Sorted(maps.Keys(dict)) {
		all = append(all, dict[key])
	}
	return all
}
