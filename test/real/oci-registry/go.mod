module valuefold.dev/oci-registry

go 1.26.0

require github.com/google/go-containerregistry v0.21.6
