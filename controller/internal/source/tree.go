package source

import (
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// Tree is an unpacked artifact. Nothing writes into it, so what is read of it once stays so.
type Tree struct {
	Folder  string
	digests sync.Map
}

// Below at the end of a path means all that is in a folder.
const Below = "/**"

// Digest of what a run has read: files and folders, also those that were looked for and are not there.
func (t *Tree) Digest(paths []string) string {
	sum := sha256.New()
	for _, path := range slices.Compact(slices.Sorted(slices.Values(paths))) {
		fmt.Fprintf(sum, "%q %s\n", path, t.digestOf(path))
	}
	return fmt.Sprintf("%x", sum.Sum(nil))
}

func (t *Tree) digestOf(path string) string {
	if known, isKnown := t.digests.Load(path); isKnown {
		return known.(string)
	}
	var found string
	if folder, isBelow := strings.CutSuffix(path, Below); isBelow {
		found = t.below(folder)
	} else {
		found = t.at(path)
	}
	t.digests.Store(path, found)
	return found
}

// below has every file of a folder.
func (t *Tree) below(folder string) string {
	var paths []string
	err := filepath.WalkDir(filepath.Join(t.Folder, folder), func(path string, _ fs.DirEntry, err error) error {
		inside, _ := filepath.Rel(t.Folder, path)
		paths = append(paths, inside)
		return err
	})
	return fmt.Sprint(t.Digest(paths), err != nil)
}

// at is the content of a file, or what is there instead.
func (t *Tree) at(path string) string {
	path = filepath.Join(t.Folder, path)
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return "nothing"
	case info.IsDir():
		return "folder"
	case !info.Mode().IsRegular():
		return info.Mode().String()
	}
	file, err := os.Open(path)
	if err != nil {
		return "unreadable"
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return "unreadable"
	}
	return fmt.Sprintf("%x", sum.Sum(nil))
}
