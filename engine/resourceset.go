package main

import (
	"errors"
	"maps"
	"regexp"
	"strings"
	"text/template"
)

// What the documentation of flux-operator names beside the functions of slim-sprig.
var resourceSetFunctions = template.FuncMap{
	"toYaml":  toYAML,
	"slugify": slugify,
}

// Functions of sprig that slim-sprig leaves out.
var notSlim = strings.Fields(`
abbrev abbrevboth addf bcrypt buildCustomCert camelcase decryptAES deepCopy derivePassword divf encryptAES genCA genCAWithKey
genPrivateKey genSelfSignedCert genSelfSignedCertWithKey genSignedCert genSignedCertWithKey getHostByName htpasswd initials
kebabcase merge mergeOverwrite mulf mustDeepCopy mustMerge mustMergeOverwrite nospace randAlpha randAlphaNum randAscii randBytes
randNumeric semver semverCompare shuffle snakecase subf swapcase untitle uuidv4 wrap wrapWith
`)

func slimFunctions() functions {
	all := sprigFunctions()
	slim := functions{maps.Clone(all.callable), maps.Clone(all.impure), maps.Clone(all.known)}
	for _, name := range notSlim {
		delete(slim.callable, name)
		delete(slim.impure, name)
		delete(slim.known, name)
	}
	return slim
}

var (
	plainWords = regexp.MustCompile("^[A-Za-z0-9/ -]*$")
	notInSlug  = regexp.MustCompile("[^a-z0-9]+")
)

const longestLabel = 63

// A label value. What becomes of other characters, and of a longer text, is not documented: it is refused.
func slugify(text string) (string, error) {
	slug := strings.Trim(notInSlug.ReplaceAllString(strings.ToLower(text), "-"), "-")
	if !plainWords.MatchString(text) || len(slug) > longestLabel {
		return "", errors.New("not documented")
	}
	return slug, nil
}
