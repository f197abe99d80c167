package main

// What the operations about templates take. `template` renders as konfigure does, `applicationset` with the functions that Argo
// CD adds to sprig's, `resourceset` as flux-operator's documentation describes it; `reads` takes names of files in place of texts, and gives what these read of a chart's values.
type batch struct {
	Op string
	// Texts by function and by the name they are called by; for `reads` the files, under `files`.
	Includes map[string]map[string]string
	// Options of text/template, over those that are usual.
	Options   []string
	Templates []oneTemplate
}

type oneTemplate struct {
	Text string
	// JSON text of an object.
	Values string
}

type rendered struct {
	Text  *string `json:"text,omitempty"`
	Fault *fault  `json:"fault,omitempty"`
}

func renderAll(r *request, a *answer) error {
	return answerAll(r, a, func(given batch) func(oneTemplate) rendered { return newEngine(given).answer })
}

func readAll(r *request, a *answer) error {
	return answerAll(r, a, func(given batch) func(oneTemplate) rendered { return newReader(given.Includes["files"]).answer })
}

// One result for each template, in order.
func answerAll(r *request, a *answer, prepared func(batch) func(oneTemplate) rendered) error {
	var given batch
	if err := r.arguments(&given); err != nil {
		return err
	}
	answering := prepared(given)
	all := make([]rendered, 0, len(given.Templates))
	for _, each := range given.Templates {
		all = append(all, answering(each))
		collect()
	}
	a.results["rendered"] = all
	return nil
}
