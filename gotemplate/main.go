// Renders a batch of Go templates. On stdin: how long the opening is, in bytes, and the opening, as JSON; then for each
// template how long it and its values are, and both. On stdout, for each template, in order and as soon as it is rendered,
// a line of JSON: the caller sees how far we came. With the task `reads` each text names template files, and the answer is
// what these read of a chart's values.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strconv"
	"strings"
)

type request struct {
	text string
	// JSON text of an object.
	values []byte
}

type opening struct {
	// `reads`; or `applicationset` for the functions that Argo CD adds to sprig's; empty for konfigure's.
	Task string `json:"task"`
	// Texts by function and by the name they are called by; for `reads` the files, under `files`.
	Includes map[string]map[string]string `json:"includes"`
	// Options of text/template, over those that are usual.
	Options []string `json:"options"`
}

type answer struct {
	Text  *string `json:"text,omitempty"`
	Fault *fault  `json:"fault,omitempty"`
}

func main() {
	if err := serve(bufio.NewReaderSize(os.Stdin, 1<<16), os.Stdout); err != nil {
		os.Exit(1)
	}
}

func serve(in *bufio.Reader, out io.Writer) error {
	first, err := read(in, 1)
	if err != nil {
		return err
	}
	var given opening
	if err := json.Unmarshal(first[0], &given); err != nil {
		return err
	}
	answering := newEngine(given).answer
	if given.Task == "reads" {
		answering = newReader(given.Includes["files"]).answer
	}
	for {
		parts, err := read(in, 2)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := write(out, answering(request{string(parts[0]), parts[1]})); err != nil {
			return err
		}
	}
}

// A line with the lengths of so many parts, and the parts.
func read(in *bufio.Reader, count int) ([][]byte, error) {
	line, err := in.ReadString('\n')
	if err != nil {
		return nil, err
	}
	lengths := strings.Fields(line)
	if len(lengths) != count {
		return nil, errors.New("another number of parts")
	}
	parts := make([][]byte, count)
	for i, text := range lengths {
		length, err := strconv.Atoi(text)
		if err != nil {
			return nil, err
		}
		parts[i] = make([]byte, length)
		if _, err := io.ReadFull(in, parts[i]); err != nil {
			return nil, err
		}
	}
	return parts, nil
}

// One write for each answer.
func write(out io.Writer, a answer) error {
	line, err := json.Marshal(a)
	if err != nil {
		return err
	}
	_, err = out.Write(append(line, '\n'))
	return err
}
