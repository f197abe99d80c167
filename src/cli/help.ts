// What `--help` says: the command line, and the annotations that everything else is about.

export const helpText = `valuefold folds layered values, held in ConfigMaps and Secrets, into one document per app.

usage:
  valuefold                         KRM function: ResourceList on stdin, ResourceList on stdout
  valuefold fold [FILE...|-]        the same on a plain multi-document YAML stream
  valuefold verify [FILE...|-]      for CI: fails on layers left unfolded and on dangling folded names,
                                    warns of layers that change nothing, hidden overrides and the like
  valuefold explain [TARGET] [PATH] [FILE...|DIR|-]
                                    which layer sets which value, and what it overrides
  valuefold diff A B [DIR...]       what changes between two files, directories or git revisions
  valuefold values TARGET [FILE...|-]
                                    the final values of one target (Kind/name or Kind/namespace/name)
  valuefold render -c FILE [DIR]    ConfigMaps and Secrets from directories of layers: a stream, to pipe into fold
  valuefold install DIR             copies the executable, with its libraries, into a folder
  valuefold completion SHELL        for bash, zsh or fish
  valuefold print name-reference    a configuration for kustomize, so that new names reach Apps and HelmReleases
  valuefold help | version

options of fold, verify, explain, diff, values and render:
  -c, --config FILE                 function config (kind ValueFold, or a ConfigMap; of render: ValueFoldRender)
      --format FORMAT               of messages: text, json, github, sarif; of diff: text, json, markdown
  -q, --quiet                       no summary
options of fold, verify and explain:
      --schema [TARGET=]FILE        JSON Schema that values of a target must fit; as many as wanted
options of fold and render:
      --previous FILE               an earlier output: sealed Secrets keep their bytes where nothing changed
options of verify:
      --strict                      fails on any reference that is not in the list
      --unfolded                    the stream is not folded yet: layers that wait for it are no fault
options of explain:
      --json | --annotate           as JSON, or as YAML with the origin behind each value
      --html FILE                   one page with everything, to look around in
options of explain and diff:
      --enable-exec                 kustomize runs functions that are programs, if it builds a directory
options of diff:
      --json                        the same as --format json
      --exit-code                   exit status 1 if anything changes
options of render:
      --strict                      fails on an include of the scope that finds nothing
options of values:
      --secrets                     values of Secrets, too

exit status: 0 ok, 1 faults (see stderr), 2 a bug, 3 invalid function config
VALUEFOLD_FAULTS=stdout: the function tells its first fault on stdout, for callers that show no stderr

Targets: App, HelmRelease, ConfigMap, Secret; Kyma overrides if the setting \`targets\` names them. A layer
is a ConfigMap or Secret that a target references, or that says so itself:
  valuefold.dev/into: KIND/NAME     which target (Kind/[namespace/]name, several by commas, * for any)
  valuefold.dev/priority: "75"      default: App 25, HelmRelease 75, ConfigMap and Secret 50
  valuefold.dev/key: values         which data key, if there are several
  valuefold.dev/format: yaml        yaml, json or text: how data keys of a ConfigMap or Secret merge
  valuefold.dev/keep: "true"        keep the layer as it is after folding
and of a target: valuefold.dev/fold: "false" leaves it alone
`;
