// A typical list: an App with layers in ConfigMaps and a Secret, and a HelmRelease.

export const everydayStream = `apiVersion: v1
kind: ConfigMap
metadata:
  name: base
  namespace: org
  labels:
    app: shop
data:
  values: |
    # The base.
    replicas: 1
    image: {repository: shop, tag: "1.0"}
    hosts:
      - name: a
        port: 80
    ingress:
      enabled: false
      annotations: {}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: stage
  namespace: org
data:
  values: |
    replicas: 3
    ingress:
      enabled: true # here
      host: 'shop.example'
    hosts: [1, 2]
    script: |
      echo
---
apiVersion: v1
kind: Secret
metadata:
  name: secret
  namespace: org
data:
  values: cGFzc3dvcmQ6IHgK
---
apiVersion: application.giantswarm.io/v1alpha1
kind: App
metadata:
  name: shop
  namespace: org
spec:
  catalog: main
  name: shop
  config:
    configMap: {name: base, namespace: org}
    secret: {name: secret, namespace: org}
  userConfig:
    configMap:
      name: stage
      namespace: org
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: release-base
  namespace: org
data:
  values.yaml: |
    a: 1
    b: {c: 2}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: release-stage
  namespace: org
data:
  values.yaml: |
    b: {c: 3}
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata:
  name: release
  namespace: org
spec:
  valuesFrom:
    - kind: ConfigMap
      name: release-base
    - kind: ConfigMap
      name: release-stage
  values:
    b:
      d: 3
`;

const settings = `apiVersion: valuefold.dev/v1alpha1
kind: ValueFold
metadata:
  name: everyday
spec:
  layers: keep
`;

export const everydayList = `apiVersion: config.kubernetes.io/v1
kind: ResourceList
functionConfig:
${settings.replaceAll(/^/gm, "  ").trimEnd()}
items:
${everydayStream
  .split("---\n")
  .map((item) => `  - ${item.trimEnd().replaceAll("\n", "\n    ")}\n`)
  .join("")}`;
