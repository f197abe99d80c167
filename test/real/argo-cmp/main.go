// argo-cmp runs Argo CD's own code on a plugin. As argocd-cmp-server it is the process of the sidecar. As anything
// else it asks that one as the repo-server does: whose folder is this, and which manifests are in it?
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/argoproj/argo-cd/v3/cmpserver"
	"github.com/argoproj/argo-cd/v3/cmpserver/plugin"
	"github.com/argoproj/argo-cd/v3/common"
	"github.com/argoproj/argo-cd/v3/util/app/discovery"
	"github.com/argoproj/argo-cd/v3/util/cmp"
	grpc_retry "github.com/grpc-ecosystem/go-grpc-middleware/v2/interceptors/retry"
)

func main() {
	var err error
	if filepath.Base(os.Args[0]) == common.CommandCMPServer {
		err = serve()
	} else {
		err = generate()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// serve is what the command argocd-cmp-server does, without its logs and traces.
func serve() error {
	folder := flag.String("config-dir-path", common.DefaultPluginConfigFilePath, "where plugin.yaml lies")
	flag.Parse()
	config, err := plugin.ReadPluginConfig(*folder)
	if err != nil {
		return err
	}
	server, err := cmpserver.NewServer(plugin.CMPServerInitConstants{PluginConfig: *config})
	if err != nil {
		return err
	}
	server.Run()
	return nil
}

// generate prints what the repo-server gets: a list of manifests, or the message that its interface shows.
func generate() error {
	name := flag.String("plugin", "", "the plugin that the Application names")
	path := flag.String("path", ".", "the Application's path in the repository")
	timeout := flag.Duration("timeout", 60*time.Second, "repo.server.timeout.seconds, which is 60 unless somebody says otherwise")
	flag.Parse()
	if flag.NArg() != 1 {
		return errors.New("usage: argo-cmp [--plugin NAME] [--path PATH] [--timeout DURATION] REPOSITORY")
	}
	ctx, cancel := context.WithTimeout(context.Background(), *timeout)
	defer cancel()
	manifests, err := ask(ctx, flag.Arg(0), *path, *name)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(manifests)
}

// ask is runConfigManagementPluginSidecars of the repo-server, which is private there.
func ask(ctx context.Context, repository, path, name string) ([]json.RawMessage, error) {
	app := filepath.Join(repository, path)
	env := []string{"ARGOCD_APP_NAME=shop", "ARGOCD_APP_SOURCE_PATH=" + path}
	conn, client, err := discovery.DetectConfigManagementPlugin(ctx, app, repository, name, env, nil)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	stream, err := client.GenerateManifest(ctx, grpc_retry.Disable())
	if err != nil {
		return nil, err
	}
	if err := cmp.SendRepoStream(ctx, app, repository, stream, env, nil); err != nil {
		return nil, err
	}
	response, err := stream.CloseAndRecv()
	if err != nil {
		return nil, fmt.Errorf("error generating manifests in cmp: %w", err)
	}
	manifests := []json.RawMessage{}
	for _, text := range response.Manifests {
		manifests = append(manifests, json.RawMessage(strings.TrimSpace(text)))
	}
	return manifests, nil
}
