// Opens a sealed Secret as Flux does (kustomize-controller's decryptor): the object as JSON into SOPS' own
// JSON store, its data key by the local key service, no check of the MAC, and out again as JSON. Reads the
// object on stdin and writes it to stdout.
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/getsops/sops/v3/aes"
	"github.com/getsops/sops/v3/cmd/sops/common"
	"github.com/getsops/sops/v3/cmd/sops/formats"
	"github.com/getsops/sops/v3/config"
	"github.com/getsops/sops/v3/keyservice"
)

func main() {
	if err := open(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func open() error {
	object, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	store := common.StoreForFormat(formats.Json, config.NewStoresConfig())
	tree, err := store.LoadEncryptedFile(object)
	if err != nil {
		return err
	}
	services := []keyservice.KeyServiceClient{keyservice.NewLocalClient()}
	key, err := tree.Metadata.GetDataKeyWithKeyServices(services, nil)
	if err != nil {
		return err
	}
	if _, err := tree.Decrypt(key, aes.NewCipher()); err != nil {
		return err
	}
	out, err := store.EmitPlainFile(tree.Branches)
	if err != nil {
		return err
	}
	_, err = os.Stdout.Write(out)
	return err
}
