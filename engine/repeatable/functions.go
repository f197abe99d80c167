// Package repeatable has sprig's functions for charts, so that a chart renders alike every time and in both builds: the clock and the
// random numbers are constants, the zone is UTC, and mappings are visited in the order of their keys. What is random in a cluster
// has the right form and length here, and is no secret.
package repeatable

import (
	"encoding/base64"
	"maps"
	"slices"
	"strings"
	"text/template"
	"time"

	"github.com/Masterminds/sprig/v3"
)

var now = time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC)

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
		"randAlphaNum":             repeated("a"),
		"randAlpha":                repeated("a"),
		"randAscii":                repeated("a"),
		"randNumeric":              repeated("1"),
		"randBytes":                func(count int) string { return base64.StdEncoding.EncodeToString(make([]byte, count)) },
		"randInt":                  func(least, _ int) int { return least },
		"shuffle":                  func(text string) string { return text },
		"uuidv4":                   func() string { return anyUUID },
		"bcrypt":                   func(string) string { return anyHash },
		"htpasswd":                 func(name, _ string) string { return name + ":" + anyHash },
		"encryptAES":               func(_, text string) string { return base64.StdEncoding.EncodeToString(make([]byte, 16+len(text))) },
		"genPrivateKey":            func(string) string { return anyKey },
		"genCA":                    func(string, int) certificate { return certificate{anyCert, anyKey} },
		"genCAWithKey":             func(_ string, _ int, key string) certificate { return certificate{anyCert, key} },
		"genSelfSignedCert":        func(string, []any, []any, int) certificate { return certificate{anyCert, anyKey} },
		"genSelfSignedCertWithKey": func(_ string, _, _ []any, _ int, key string) certificate { return certificate{anyCert, key} },
		"genSignedCert":            func(string, []any, []any, int, any) certificate { return certificate{anyCert, anyKey} },
		"genSignedCertWithKey":     func(_ string, _, _ []any, _ int, _ any, key string) certificate { return certificate{anyCert, key} },
		"keys":                     keys,
		"values":                   values,
	})
	return all
}

func repeated(letter string) func(int) string {
	return func(count int) string { return strings.Repeat(letter, max(count, 0)) }
}

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
