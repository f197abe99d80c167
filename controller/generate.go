package main

//go:generate go run sigs.k8s.io/controller-tools/cmd/controller-gen@v0.21.0 object paths=./api/... crd output:crd:dir=config/crd
