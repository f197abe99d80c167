// What `valuefold print name-reference` prints: a configuration for kustomize. config/name-reference.yaml is made of it.

export const nameReference = `# For kustomize (\`configurations: [name-reference.yaml]\`): an overlay's namePrefix, nameSuffix or hash reaches
# the references that Apps and HelmReleases hold, those to folded items included.
nameReference:
  - kind: ConfigMap
    version: v1
    fieldSpecs:
      - { path: spec/config/configMap/name, group: application.giantswarm.io, kind: App }
      - { path: spec/userConfig/configMap/name, group: application.giantswarm.io, kind: App }
      - { path: spec/extraConfigs/name, group: application.giantswarm.io, kind: App }
      - { path: spec/valuesFrom/name, group: helm.toolkit.fluxcd.io, kind: HelmRelease }
  - kind: Secret
    version: v1
    fieldSpecs:
      - { path: spec/config/secret/name, group: application.giantswarm.io, kind: App }
      - { path: spec/userConfig/secret/name, group: application.giantswarm.io, kind: App }
      - { path: spec/extraConfigs/name, group: application.giantswarm.io, kind: App }
      - { path: spec/valuesFrom/name, group: helm.toolkit.fluxcd.io, kind: HelmRelease }
`;
