module valuefold.dev/engine

go 1.26.0

toolchain go1.26.8

require (
	github.com/Masterminds/sprig/v3 v3.3.0
	github.com/fluxcd/pkg/envsubst v1.7.0
	go.yaml.in/yaml/v3 v3.0.4
	helm.sh/helm/v3 v3.18.6
	helm.sh/helm/v4 v4.2.2
	sigs.k8s.io/kustomize/api v0.21.1
	sigs.k8s.io/kustomize/kyaml v0.21.1
	sigs.k8s.io/yaml v1.6.0
)

require (
	dario.cat/mergo v1.0.1 // indirect
	github.com/BurntSushi/toml v1.6.0 // indirect
	github.com/Masterminds/goutils v1.1.1 // indirect
	github.com/Masterminds/semver/v3 v3.5.0 // indirect
	github.com/blang/semver/v4 v4.0.0 // indirect
	github.com/cyphar/filepath-securejoin v0.6.1 // indirect
	github.com/davecgh/go-spew v1.1.2-0.20180830191138-d8f796af33cc // indirect
	github.com/go-errors/errors v1.5.1 // indirect
	github.com/go-openapi/jsonpointer v0.21.1 // indirect
	github.com/go-openapi/jsonreference v0.21.0 // indirect
	github.com/go-openapi/swag v0.23.1 // indirect
	github.com/gobwas/glob v0.2.3 // indirect
	github.com/google/uuid v1.6.0 // indirect
	github.com/huandu/xstrings v1.5.0 // indirect
	github.com/mitchellh/copystructure v1.2.0 // indirect
	github.com/mitchellh/reflectwalk v1.0.2 // indirect
	github.com/monochromegane/go-gitignore v0.0.0-20200626010858-205db1a8cc00 // indirect
	github.com/pkg/errors v0.9.1 // indirect
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.2 // indirect
	github.com/shopspring/decimal v1.4.0 // indirect
	github.com/spf13/cast v1.7.0 // indirect
	github.com/xlab/treeprint v1.2.0 // indirect
	go.yaml.in/yaml/v2 v2.4.3 // indirect
	golang.org/x/crypto v0.53.0 // indirect
	golang.org/x/sys v0.46.0 // indirect
	golang.org/x/text v0.38.0 // indirect
	gopkg.in/evanphx/json-patch.v4 v4.13.0 // indirect
	k8s.io/apimachinery v0.36.1 // indirect
	k8s.io/kube-openapi v0.0.0-20260317180543-43fb72c5454a // indirect
	sigs.k8s.io/json v0.0.0-20250730193827-2d320260d730 // indirect
)

// Copies with the changes of edits.ts (prepare.ts makes them).
replace (
	github.com/go-openapi/swag => ./third_party/github.com-go-openapi-swag
	github.com/santhosh-tekuri/jsonschema/v6 => ./third_party/github.com-santhosh-tekuri-jsonschema-v6
	github.com/spf13/cast => ./third_party/github.com-spf13-cast
	helm.sh/helm/v3 => ./third_party/helm.sh-helm-v3
	helm.sh/helm/v4 => ./third_party/helm.sh-helm-v4
	k8s.io/kube-openapi => ./third_party/k8s.io-kube-openapi
	sigs.k8s.io/kustomize/api => ./third_party/sigs.k8s.io-kustomize-api
	sigs.k8s.io/kustomize/kyaml => ./third_party/sigs.k8s.io-kustomize-kyaml
)
