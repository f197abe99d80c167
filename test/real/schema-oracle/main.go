// The schema oracle: Helm's own judgement of values over a line protocol. One JSON request a line on stdin (a schema, a
// values file, perhaps a chart's defaults below it), one JSON answer a line on stdout: valid, invalid, or why Helm
// cannot use the schema.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"

	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/common/util"
	chart "helm.sh/helm/v4/pkg/chart/v2"
)

type request struct {
	Schema string `json:"schema"`
	Values string `json:"values"`
	// Defaults is the text of a chart's values.yaml.
	Defaults string `json:"defaults"`
}

type answer struct {
	Verdict string `json:"verdict"`
	Error   string `json:"error,omitempty"`
}

func main() {
	log.SetOutput(io.Discard) // Helm's warnings
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 1 {
			encoded, failed := json.Marshal(ask(line))
			if failed != nil {
				encoded, _ = json.Marshal(answer{Error: failed.Error()})
			}
			out.Write(encoded)
			out.WriteByte('\n')
			out.Flush()
		}
		if err == io.EOF {
			return
		}
	}
}

func ask(line []byte) answer {
	var r request
	if err := json.Unmarshal(line, &r); err != nil {
		return answer{Error: fmt.Sprintf("request: %v", err)}
	}
	values, err := common.ReadValues([]byte(r.Values))
	if err != nil {
		return answer{Error: fmt.Sprintf("values: %v", err)}
	}
	defaults, err := common.ReadValues([]byte(r.Defaults))
	if err != nil {
		return answer{Error: fmt.Sprintf("defaults: %v", err)}
	}
	c := &chart.Chart{Metadata: &chart.Metadata{Name: "c", Version: "1.0.0", APIVersion: "v2"}, Values: defaults}
	computed, err := util.CoalesceValues(c, values)
	if err != nil {
		return answer{Error: fmt.Sprintf("coalesce: %v", err)}
	}
	err = util.ValidateAgainstSingleSchema(computed, []byte(r.Schema))
	var invalid util.JSONSchemaValidationError
	switch {
	case err == nil:
		return answer{Verdict: "valid"}
	case errors.As(err, &invalid):
		return answer{Verdict: "invalid"}
	default:
		return answer{Error: fmt.Sprintf("schema: %v", err)}
	}
}
