package main

//go:generate sh -c "cd api && go generate ./..."
//go:generate go run sigs.k8s.io/controller-tools/cmd/controller-gen@v0.21.0 rbac:roleName=valuefold-controller paths=./internal/controller output:rbac:dir=config/rbac
