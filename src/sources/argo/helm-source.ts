// A source of an Application that is a chart → its stack: the chart's values, `valueFiles` in their order, `valuesObject` or else
// `values`, then parameters. What is not here is a layer that may set anything.
import { basename } from "node:path";
import type { Diagnostic } from "../../diagnostic.ts";
import {
  clashesIn,
  parameterDocument,
  positionOf,
  type ReadDocument,
  type SourceStack,
  type StackDocument,
  unseenDocument,
} from "../../explain/index.ts";
import type { Place } from "../../explanation.ts";
import { existsSync } from "../disk.ts";
import { notBuilt } from "../not-built.ts";
import { mappingDocuments, yamlDocument } from "../helm/inline-values.ts";
import { fieldIn, isTrue, listIn, type Placed, textIn } from "../placed.ts";
import type { PlacedObject } from "../placed-object.ts";
import type { ApplicationSource } from "./application.ts";
import type { ArgoEnvironment } from "./environment.ts";
import { capabilitiesIn, type Charts, type ChartUser } from "../helm/charts.ts";
import { parameterSets } from "./parameters.ts";
import { fileAt, type FileRoots, type ValueFile, valueFilesIn } from "./value-files.ts";
import { objectId } from "../../object-id.ts";
import { valuesFile } from "../files.ts";
import { remembered } from "../../remembered.ts";

export interface HelmSource {
  readonly stack: SourceStack;
  /** What keeps Argo CD from rendering it. */
  readonly faults: readonly Diagnostic[];
  /** What is odd, though nothing is wrong. */
  readonly lints: readonly Diagnostic[];
}

export interface HelmSurroundings {
  readonly application: PlacedObject;
  /** The source as the Application has it: files of its directory may override it. */
  readonly written: Placed;
  readonly environment: ArgoEnvironment;
  readonly roots: FileRoots;
  /** How a file is named in places. */
  readonly shown: (path: string) => string;
  readonly charts: Charts;
  readonly helm: ChartUser["helm"];
  /** Documents of files that other sources have, too. */
  readonly known: Map<string, ReadDocument>;
}

export function helmSource(source: ApplicationSource, around: HelmSurroundings): Promise<HelmSource> {
  return new HelmSourceReader(source, around).read();
}

class HelmSourceReader {
  private readonly source: ApplicationSource;
  private readonly helm: Placed | undefined;
  private readonly around: HelmSurroundings;
  private readonly documents: StackDocument[] = [];
  private readonly faults: Diagnostic[] = [];
  private readonly lints: Diagnostic[] = [];

  constructor(source: ApplicationSource, around: HelmSurroundings) {
    this.source = source;
    this.helm = fieldIn(source.fields, "helm");
    this.around = around;
  }

  async read(): Promise<HelmSource> {
    this.addFiles();
    this.addInline();
    this.addParameters();
    const { lints } = this;
    const several = this.source.path.length > 2;
    const { faults, ...over } = await this.around.charts.over(this.chartUser(), this.documents);
    const stack = { ...(several ? { source: this.source.shown } : {}), ...over };
    return { stack, faults: [...this.faults, ...faults], lints };
  }

  /** Argo CD gives Helm files, also of what it has as a text. */
  private readonly endsLine = (): boolean => this.around.charts.helmFor(this.around.helm) === 4;

  private chartUser(): ChartUser {
    const [name, path, version] = ["chart", "path", "targetRevision"].map((field) =>
      textIn(fieldIn(this.source.fields, field)),
    );
    const own = name ?? (path === undefined ? undefined : basename(path));
    // A path, and its revision, are those of git.
    const repository = name === undefined ? undefined : textIn(fieldIn(this.source.fields, "repoURL"));
    const chart =
      own === undefined
        ? undefined
        : { name: own, version: name === undefined ? "" : (version ?? ""), repository };
    const { roots, helm, application } = this.around;
    const release = {
      name: textIn(fieldIn(this.helm, "releaseName")),
      namespace:
        textIn(fieldIn(this.helm, "namespace")) ??
        textIn(fieldIn(application.spec, "destination", "namespace")) ??
        "default",
      ...capabilitiesIn(this.helm),
    };
    return { ...objectId(application), chart, path: roots.chart, helm, release };
  }

  private addFiles(): void {
    const { roots, environment } = this.around;
    for (const file of filesNamed(this.helm, roots, environment)) this.addFile(file);
  }

  private addFile(file: ValueFile): void {
    const { written: name, at } = file;
    const slot = `${this.source.shown}.helm.valueFiles`;
    if ("unseen" in file) {
      this.faults.push(this.fault("warning", `the values file \`${name}\` is not seen: ${file.unseen}`, at));
      this.documents.push(unseenDocument({ name, why: "file", slot, state: "unseen", ...(at && { at }) }));
      return;
    }
    if ("fault" in file) {
      this.faults.push(
        this.fault("error", `Argo CD cannot use the values file \`${name}\`: ${file.fault}`, at),
      );
      return;
    }
    const { document, diagnostics } = this.documentAt(file.path, slot);
    this.faults.push(...diagnostics);
    this.documents.push(document);
  }

  private documentAt(path: string, slot: string): ReadDocument {
    const { known, shown } = this.around;
    return remembered(known, path, () => valuesFile(path, shown, { why: "file", slot }, this.endsLine));
  }

  /** `values` applies only without a `valuesObject`. */
  private addInline(): void {
    const { shown, path } = this.source;
    const [object, text] = [fieldIn(this.helm, "valuesObject"), fieldIn(this.helm, "values")];
    const isText = textIn(text) !== undefined && textIn(text) !== "";
    if (object !== undefined && object.value !== null) {
      const { application, written } = this.around;
      const isWritten = object === fieldIn(written, "helm", "valuesObject");
      const chain = isWritten ? application.chainOf?.([...path, "helm", "valuesObject"]) : undefined;
      this.documents.push(...mappingDocuments(object, `${shown}.helm.valuesObject`, chain));
      if (isText)
        this.lints.push({
          ...this.lint("unused-values", "`values` is ignored, because `valuesObject` is set", text?.at),
          hint: "move what is needed into `valuesObject`, and remove `values`",
        });
    } else if (text !== undefined && isText) {
      const { document, diagnostics } = yamlDocument(text, `${shown}.helm.values`, this.endsLine);
      this.faults.push(...diagnostics);
      this.documents.push(document);
    }
  }

  private addParameters(): void {
    const { environment, roots } = this.around;
    const pathOf = (written: Placed): { path: string; at: Place } | undefined => {
      const found = fileAt(textIn(written) ?? "", roots, environment);
      const isThere = "path" in found && existsSync(found.path);
      const why = "path" in found ? "it does not exist" : "fault" in found ? found.fault : found.unseen;
      if (!isThere)
        this.faults.push(
          this.fault(
            "error",
            `Argo CD cannot use the file of a parameter, \`${textIn(written) ?? ""}\`: ${why}`,
            written.at,
          ),
        );
      return isThere
        ? { path: found.path, at: { of: "file", file: this.around.shown(found.path), line: 1, column: 1 } }
        : undefined;
    };
    for (const set of parameterSets(
      { helm: this.helm, shown: this.source.shown },
      environment,
      pathOf,
      this.faults,
    )) {
      this.documents.push(parameterDocument(set, this.documents, this.faults));
      for (const [one, other] of clashesIn(set).filter((all) => !all.some(({ isSecret }) => isSecret)))
        this.lints.push({
          ...this.lint("tie", `\`${one.name}\` and \`${other.name}\` set the same value`, other.at),
          reason: "Argo CD gives them to Helm in any order",
          hint: "keep one of the two",
        });
    }
  }

  private fault(severity: "error" | "warning", message: string, at: Place | undefined): Diagnostic {
    return notBuilt({ message, item: objectId(this.around.application), severity, at });
  }

  private lint(code: "unused-values" | "tie", message: string, at: Place | undefined): Diagnostic {
    const item = objectId(this.around.application);
    return { code, severity: "warning", message, item, ...(at && { at: positionOf(at) }) };
  }
}

function filesNamed(
  helm: Placed | undefined,
  roots: FileRoots,
  environment: ArgoEnvironment,
): readonly ValueFile[] {
  const ignores = isTrue(fieldIn(helm, "ignoreMissingValueFiles"));
  return valueFilesIn(listIn(fieldIn(helm, "valueFiles")), roots, environment, ignores);
}

/** Looks for the files that a source names, and reads none. True if one of them may be any file. */
export function mayBeAny(
  { fields }: ApplicationSource,
  roots: FileRoots,
  environment: ArgoEnvironment,
): boolean {
  const helm = fieldIn(fields, "helm");
  const parameters = listIn(fieldIn(helm, "fileParameters"));
  const found = parameters.map((each) => fileAt(textIn(fieldIn(each, "path")) ?? "", roots, environment));
  for (const each of found) if ("path" in each) existsSync(each.path);
  return [...filesNamed(helm, roots, environment), ...found].some((each) => "isAny" in each);
}
