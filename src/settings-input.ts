// Made by `npm run schema` from src/settings/settings.ts.

/** What is written under `spec` in a function config; docs/settings.md says what each setting means. */
export interface SettingsInput {
  /**
   * Which targets to fold: those that match any of these selectors. Unset: every App, HelmRelease, ConfigMap and Secret. Kyma overrides are folded only if a selector names the kind Kyma.
   *
   * ```yaml
   * targets:
   *   - kind: App
   *     namespace: shop
   *   - kind: HelmRelease
   *     labels:
   *       team: web
   * ```
   */
  targets?:
    | {
        kind?: "App" | "HelmRelease" | "ConfigMap" | "Secret" | "Kyma" | undefined;
        name?: string | undefined;
        namespace?: string | undefined;
        labels?: { [key: string]: string } | undefined;
      }[]
    | undefined;
  app?:
    | {
        /**
         * Priorities at which the platform binds values that no App names; [] if it binds none.
         *
         * ```yaml
         * app:
         *   unseen:
         *     - 100
         * ```
         * ```yaml
         * app:
         *   unseen: []
         * ```
         */
        unseen?: number[] | undefined;
      }
    | undefined;
  /**
   * What becomes of layers once folded: marked local-config, removed, or kept. Unset: annotated layers become local (in a plain stream they are removed), layers known by reference stay.
   *
   * ```yaml
   * layers: prune
   * ```
   */
  layers?: "local" | "prune" | "keep" | undefined;
  /**
   * Further fields that name ConfigMaps or Secrets, as kustomize's nameReference configuration spells them: a layer that one of them names stays.
   *
   * ```yaml
   * nameReference:
   *   - kind: ConfigMap
   *     fieldSpecs:
   *       - path: spec/configMapRef/name
   *         kind: GrafanaDashboard
   * ```
   */
  nameReference?:
    | {
        kind: "ConfigMap" | "Secret";
        version?: string | undefined;
        fieldSpecs: {
          path: string;
          group?: string | undefined;
          version?: string | undefined;
          kind?: string | undefined;
          create?: boolean | undefined;
        }[];
      }[]
    | undefined;
  /**
   * What to do if two layers of equal priority set one path to different values.
   *
   * ```yaml
   * onTie: error
   * ```
   */
  onTie?: "listOrder" | "error" | undefined;
  /**
   * How values merge at a path: lists by `key`, or `list: append`, `prepend`, `set`; `mapping: replace`; `null: drop`. If several match, the last one applies.
   *
   * ```yaml
   * merge:
   *   - path: env
   *     key: name
   *   - path: image
   *     mapping: replace
   * ```
   */
  merge?:
    | {
        path: string;
        key?: string | string[] | undefined;
        list?: "append" | "prepend" | "set" | "replace" | undefined;
        mapping?: "replace" | "merge" | undefined;
        null?: "drop" | "keep" | undefined;
        targets?:
          | {
              kind?: "App" | "HelmRelease" | "ConfigMap" | "Secret" | "Kyma" | undefined;
              name?: string | undefined;
              namespace?: string | undefined;
              labels?: { [key: string]: string } | undefined;
            }[]
          | undefined;
      }[]
    | undefined;
  /**
   * Paths that not every layer may set: none above a priority, or only those of the items named.
   *
   * ```yaml
   * protect:
   *   - path: image.registry
   *     above: 50
   * ```
   */
  protect?:
    | {
        path: string;
        above?: number | undefined;
        only?:
          | {
              kind:
                | "App"
                | "HelmRelease"
                | "ConfigMap"
                | "Secret"
                | "Kyma"
                | "Application"
                | "HelmChart"
                | "Chart"
                | "Bundle";
              name: string;
              namespace?: string | undefined;
            }[]
          | undefined;
        targets?:
          | {
              kind?:
                | "App"
                | "HelmRelease"
                | "ConfigMap"
                | "Secret"
                | "Kyma"
                | "Application"
                | "HelmChart"
                | "Chart"
                | "Bundle"
                | undefined;
              name?: string | undefined;
              namespace?: string | undefined;
              labels?: { [key: string]: string } | undefined;
            }[]
          | undefined;
      }[]
    | undefined;
  /**
   * JSON Schemas that the values of targets must fit, merged from all known layers: from a ConfigMap in the list, inline, or (on the command line) a file. partial: lower layers may still add to the values, as a chart's defaults do; final: they are whole.
   *
   * ```yaml
   * schemas:
   *   - targets:
   *       - kind: App
   *         name: shop
   *     from:
   *       kind: ConfigMap
   *       name: shop-schema
   * ```
   */
  schemas?:
    | {
        targets?:
          | {
              kind?:
                | "App"
                | "HelmRelease"
                | "ConfigMap"
                | "Secret"
                | "Kyma"
                | "Application"
                | "HelmChart"
                | "Chart"
                | "Bundle"
                | undefined;
              name?: string | undefined;
              namespace?: string | undefined;
              labels?: { [key: string]: string } | undefined;
            }[]
          | undefined;
        key?: string | undefined;
        from?:
          | {
              kind: "ConfigMap";
              name: string;
              namespace?: string | undefined;
              key?: string | undefined;
            }
          | undefined;
        schema?: object | undefined;
        file?: string | undefined;
        values?: "partial" | "final" | undefined;
      }[]
    | undefined;
  output?:
    | {
        /**
         * Name of a folded item; {name} and {kind} are those of the target.
         *
         * ```yaml
         * output:
         *   name: "{name}-values"
         * ```
         */
        name?: string | undefined;
        /**
         * Whether names of folded items end in a hash of their value; auto: if kustomize wanted one for a layer.
         *
         * ```yaml
         * output:
         *   hashSuffix: true
         * ```
         */
        hashSuffix?: "auto" | "true" | "false" | boolean | undefined;
      }
    | undefined;
  verify?:
    | {
        /**
         * The function folds nothing and changes nothing: it verifies the list, as a validator does.
         *
         * ```yaml
         * verify:
         *   only: true
         * ```
         */
        only?: boolean | undefined;
        /**
         * Whether references that are not in the list are errors.
         *
         * ```yaml
         * verify:
         *   strict: true
         * ```
         */
        strict?: boolean | undefined;
        /**
         * Whether the list is not folded yet: layers that wait for the fold are no fault.
         *
         * ```yaml
         * verify:
         *   unfolded: true
         * ```
         */
        unfolded?: boolean | undefined;
        /**
         * The severity of each finding about layers: off, warning (unset) or error.
         *
         * ```yaml
         * verify:
         *   lints:
         *     tie: error
         *     idle-layer: off
         * ```
         */
        lints?:
          | {
              "idle-layer"?: "off" | "warning" | "error" | false | undefined;
              "idle-value"?: "off" | "warning" | "error" | false | undefined;
              "equals-default"?: "off" | "warning" | "error" | false | undefined;
              "hidden-override"?: "off" | "warning" | "error" | false | undefined;
              "mapping-replaced"?: "off" | "warning" | "error" | false | undefined;
              "list-replaced"?: "off" | "warning" | "error" | false | undefined;
              "listed-twice"?: "off" | "warning" | "error" | false | undefined;
              "unmatched-selector"?: "off" | "warning" | "error" | false | undefined;
              "unresolved-reference"?: "off" | "warning" | "error" | false | undefined;
              "folded-edited"?: "off" | "warning" | "error" | false | undefined;
              "unused-values"?: "off" | "warning" | "error" | false | undefined;
              "unknown-key"?: "off" | "warning" | "error" | false | undefined;
              "unread-key"?: "off" | "warning" | "error" | false | undefined;
              "patch-without-target"?: "off" | "warning" | "error" | false | undefined;
              "too-large-to-apply"?: "off" | "warning" | "error" | false | undefined;
              tie?: "off" | "warning" | "error" | false | undefined;
            }
          | undefined;
      }
    | undefined;
  sops?:
    | {
        /**
         * The recipients for which folded Secrets are encrypted again. Unset: those that all decrypted layers share.
         *
         * ```yaml
         * sops:
         *   seal:
         *     age:
         *       - age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p
         * ```
         */
        seal?:
          | {
              age?: string[] | undefined;
              pgp?: string[] | undefined;
            }
          | undefined;
        /**
         * auto: the MAC of an encrypted data value must fit, that of a manifest cannot once kustomize has reordered it; strict: it must fit everywhere.
         *
         * ```yaml
         * sops:
         *   mac: strict
         * ```
         */
        mac?: "auto" | "strict" | undefined;
        /**
         * Whether decrypted layers may be folded into Secrets that are not encrypted.
         *
         * ```yaml
         * sops:
         *   allowPlaintext: true
         * ```
         */
        allowPlaintext?: boolean | undefined;
        /**
         * Folder of keys, as Flux mounts them: *.agekey, *.asc. Unset: SOPS' own environment.
         *
         * ```yaml
         * sops:
         *   keys: /sops
         * ```
         */
        keys?: string | undefined;
      }
    | undefined;
}

export type TargetSelector = NonNullable<SettingsInput["targets"]>[number];
