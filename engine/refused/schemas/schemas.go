// Package schemas is in place of schemas on other hosts, to which that of a chart refers: nothing is fetched. As Helm does for
// a URN that it does not know, any value is taken, and what was not fetched is noted.
package schemas

import (
	"errors"
	"slices"
	"strings"
)

var (
	unfetched []string
	// What such a schema says of a value.
	takes = true
)

// Load takes a URL. A file of the machine is none: Helm does not find it in a cluster, either.
func Load(url string) (any, error) {
	if strings.HasPrefix(url, "file:") {
		return nil, errors.New("no file is read here: " + url)
	}
	if !slices.Contains(unfetched, url) {
		unfetched = append(unfetched, url)
	}
	return takes, nil
}

// Taken is true if there were any since it was called last.
func Taken() bool {
	isAny := len(unfetched) > 0
	unfetched = nil
	return isAny
}

// Forgives is true of a refusal that only what was not fetched may be the cause of: of a part of it, or of values that would be
// taken if it took none. @param again judges once more
func Forgives(err error, again func() error) bool {
	if err == nil || len(unfetched) == 0 {
		return false
	}
	if slices.ContainsFunc(unfetched, func(url string) bool { return strings.Contains(err.Error(), url) }) {
		return true
	}
	takes = false
	defer func() { takes = true }()
	return again() == nil
}
