package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// ownFolder gives a temporary folder of this process alone, and removes those that ended controllers left: a lock says
// which are in use. Nothing else is touched.
func ownFolder(temporary string) (string, error) {
	all := filepath.Join(temporary, name)
	if err := os.Mkdir(all, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return "", err
	}
	if info, err := os.Lstat(all); err != nil || !info.IsDir() || info.Sys().(*syscall.Stat_t).Uid != uint32(os.Getuid()) {
		return "", fmt.Errorf("%s is no folder of this user", all)
	}
	// Two that start at the same time would each take the other's new folder for a left one.
	starting, err := locked(all, syscall.LOCK_EX)
	if err != nil {
		return "", err
	}
	defer starting.Close()
	folders, err := filepath.Glob(filepath.Join(all, "run-*"))
	if err != nil {
		return "", err
	}
	for _, each := range folders {
		if left, err := locked(each, syscall.LOCK_EX|syscall.LOCK_NB); err == nil {
			err = os.RemoveAll(each)
			left.Close()
			if err != nil {
				return "", err
			}
		}
	}
	own, err := os.MkdirTemp(all, "run-")
	if err != nil {
		return "", err
	}
	// Never closed: the lock ends with the process.
	lock, err := locked(own, syscall.LOCK_EX)
	held = append(held, lock)
	return own, err
}

// Without a reference the file would be collected, and its lock with it.
var held []*os.File

func locked(folder string, how int) (*os.File, error) {
	opened, err := os.Open(folder)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(opened.Fd()), how); err != nil {
		opened.Close()
		return nil, err
	}
	return opened, nil
}
