// The form of what is wrong with a render; and what is wrong with a file of a layer: where it is, and which layer needs it.
// Never its content.
import type { Diagnostic } from "../diagnostic.ts";
import { sopsFaults } from "../core/index.ts";
import type { FileRefusal } from "./need.ts";

/** A file, an instance or a document: its name, or a position in it. */
export type FaultPlace = string | NonNullable<Diagnostic["at"]>;

/** The instance, and the layer of it, that a fault is about. */
export type InstancePlace = Pick<NonNullable<Diagnostic["at"]>, "role" | "instance">;

export function inInstance(instance: string, layer?: string): InstancePlace {
  return { role: `instance ${instance}${layer === undefined ? "" : `, layer ${layer}`}`, instance };
}

/** An error. @param field of a document, as a path */
export function errorAt(
  code: Diagnostic["code"],
  at: FaultPlace | undefined,
  message: string,
  hint: string,
  field?: string,
): Diagnostic {
  const place = at === undefined ? {} : { at: typeof at === "string" ? { text: at } : at };
  return { code, severity: "error", message, ...(field === undefined ? {} : { field }), ...place, hint };
}

/** The same as a warning. */
export function warningAt(...args: Parameters<typeof errorAt>): Diagnostic {
  return { ...errorAt(...args), severity: "warning" };
}

export function missingPath(path: string, instance: InstancePlace): Diagnostic {
  return errorAt(
    "missing-path",
    { text: path, ...instance },
    `the schema requires \`${path}\`, which does not exist`,
    "add it, or write `required: false` in the schema",
  );
}

const refusals: { readonly [why in FileRefusal]: readonly [message: string, hint: string] } = {
  outside: ["a link leads out of the directory", "put a copy of the file into the directory"],
  "not-a-folder": ["there is a file where the path needs a folder", "correct the path in the schema"],
  "not-a-file": ["expected a file, got a folder or a device", "correct the path in the schema"],
  "too-large": ["the file holds more than 4 MiB", "layers become ConfigMaps, which hold 1 MiB: split it"],
  "too-many": [
    "the render reads more than 100,000 files, or 512 MiB",
    "render fewer instances at a time, or a smaller folder of includes",
  ],
  binary: ["the file is not UTF-8 text", "layers are text: move the file elsewhere"],
  unreadable: ["it cannot be read", "check its permissions, and links that lead in a circle"],
  dangling: ["a link leads to a path that does not exist", "correct the link, or take it out"],
  "odd-name": ["the name is not UTF-8", "rename it"],
  "no-directory": ["the directory does not exist", "correct the path"],
  "beyond-root": ["the directory is outside of `--root`", "correct the path"],
};

/** @param path relative to the directory */
export function refused(path: string, why: FileRefusal, instance: InstancePlace = {}): Diagnostic {
  const [message, hint] = refusals[why];
  const at = { text: path === "" ? "directory" : path, ...instance };
  return errorAt("file-refused", at, message, hint);
}

/**
 * The directory of layers itself cannot be read.
 * @param owner document that names it
 * @param directory as it is written there; undefined if nothing names it
 */
export function directoryFault(
  owner: string,
  directory: string | undefined,
  why: "no-directory" | "beyond-root",
): Diagnostic {
  const named = `the directory of layers, \`${directory}\`, is`;
  const [message, hint] =
    directory === undefined
      ? [
          "nothing names the directory of layers",
          "name it after the file: `valuefold render -c FILE DIR`; or, in a ValueFoldRender, as `spec.directory`",
        ]
      : why === "no-directory"
        ? [
            `${named} not there`,
            "correct the path; kpt's containers see no files, so use `exec` there; kustomize's need a mount",
          ]
        : [`${named} outside of \`--root\``, "correct the path: no file beyond that directory is read"];
  return errorAt("no-directory", owner, message, hint, "spec.directory");
}

export function notAsked(path: string, instance: InstancePlace): Diagnostic {
  return errorAt(
    "sealed-layer",
    { text: path, ...instance },
    "the file is encrypted, and no setting allows decrypting it",
    "set `spec.sops: {}`: it is decrypted, and what it goes into is encrypted again",
  );
}

export function notOpened(path: string, instance: InstancePlace, fault: keyof typeof sopsFaults): Diagnostic {
  const { code, message, hint } = sopsFaults[fault];
  return errorAt(code, { text: path, ...instance }, `cannot decrypt the file: ${message}`, hint);
}

export function passed({ path }: { readonly path: string }): Diagnostic {
  return warningAt(
    "sealed-layer",
    path,
    "the file is encrypted, and a file of a ConfigMap is never decrypted: its ciphertext is rendered as it is",
    "move it to the `secret` side of its layer",
  );
}
