package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// The files of a request as kustomize sees them, in the words of the file system on a disk (that in memory of kyaml has other
// words, and refuses some names). What a build has no use for panics: there is nothing to write to.
type fileTree struct {
	filesys.FileSystem
	root *node
}

type node struct {
	// Nil for a file.
	children map[string]*node
	content  []byte
}

// What the system says. It is no error of a disk, so only the text is alike.
type refusal struct {
	text string
	kind error
}

func (r refusal) Error() string      { return r.text }
func (r refusal) Is(kind error) bool { return kind == r.kind }

var (
	notThere  = refusal{"no such file or directory", fs.ErrNotExist}
	notFolder = refusal{"not a directory", nil}
	isFolder  = refusal{"is a directory", nil}
)

func newFolder() *node { return &node{children: map[string]*node{}} }

func newFileTree() *fileTree { return &fileTree{root: newFolder()} }

// put adds a file, and the folders above it.
func (t *fileTree) put(name string, content []byte) error {
	at := t.root
	parts := partsOf(name)
	if len(parts) == 0 {
		return errors.New("a file without a name")
	}
	for _, part := range parts[:len(parts)-1] {
		if at.children[part] == nil {
			at.children[part] = newFolder()
		}
		at = at.children[part]
		if at.children == nil {
			return fmt.Errorf("%s: a file is above it", name)
		}
	}
	at.children[parts[len(parts)-1]] = &node{content: content}
	return nil
}

func partsOf(name string) []string {
	return slices.DeleteFunc(strings.Split(path.Clean("/"+name), "/"), func(part string) bool { return part == "" })
}

// find also gives the path of what is found, or of the first thing that is not there.
func (t *fileTree) find(name string) (found *node, at string, err error) {
	found, at = t.root, "/"
	for _, part := range partsOf(name) {
		if found.children == nil {
			return nil, at, notFolder
		}
		at = path.Join(at, part)
		if found = found.children[part]; found == nil {
			return nil, at, notThere
		}
	}
	return found, at, nil
}

func (t *fileTree) Exists(name string) bool {
	_, _, err := t.find(name)
	return err == nil
}

func (t *fileTree) IsDir(name string) bool {
	found, _, err := t.find(name)
	return err == nil && found.children != nil
}

func (t *fileTree) ReadFile(name string) ([]byte, error) {
	found, _, err := t.find(name)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	if found.children != nil {
		return nil, &fs.PathError{Op: "read", Path: name, Err: isFolder}
	}
	return slices.Clone(found.content), nil
}

func (t *fileTree) CleanedAbs(name string) (filesys.ConfirmedDir, string, error) {
	found, at, err := t.find(name)
	if err != nil {
		return "", "", fmt.Errorf("evalsymlink failure on '%s' : %w", name, &fs.PathError{Op: "lstat", Path: at, Err: err})
	}
	if found.children != nil {
		return filesys.ConfirmedDir(at), "", nil
	}
	return filesys.ConfirmedDir(path.Dir(at)), path.Base(at), nil
}

// RemoveAll has nothing to remove: no repository is cloned.
func (t *fileTree) RemoveAll(string) error { return nil }
