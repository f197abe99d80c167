// Code, clause and cure for each fault of SOPS.
import type { Diagnostic } from "../../diagnostic.ts";
import type { SopsFault } from "../../layers/index.ts";

interface FaultText {
  readonly code: Diagnostic["code"];
  readonly message: string;
  readonly hint: string;
}

export const sopsFaults: { readonly [fault in SopsFault]: FaultText } = {
  missing: {
    code: "sops-failed",
    message: "the program `sops` is not installed",
    hint: "install it (3.9 or later), or leave the setting `sops` out",
  },
  "no-folder": {
    code: "sops-failed",
    message: "the folder of keys cannot be read",
    hint: "correct the setting `sops.keys`; in a container it must be mounted, and readable for user 65534",
  },
  "no-key": {
    code: "sops-failed",
    message: "no key opens it",
    hint: "provide the key by SOPS' own environment (`SOPS_AGE_KEY_FILE`, `GNUPGHOME`, …) or the folder `sops.keys`",
  },
  tampered: {
    code: "sops-malformed",
    message: "a value or the MAC was changed, moved or removed after it was encrypted",
    hint: "restore it, or encrypt it again; with `mac: strict` a reordering by kustomize is a change, too",
  },
  malformed: {
    code: "sops-malformed",
    message: "`sops` cannot read it in the format of its marker and key",
    hint: "encrypt it again",
  },
  timeout: {
    code: "sops-failed",
    message: "`sops` did not end within a minute",
    hint: "does it ask for a passphrase, or for a server?",
  },
  "not-asked": {
    code: "sealed-layer",
    message: "`foldSync` and `plan` run no other program",
    hint: "call `fold`, which decrypts and encrypts",
  },
  failed: { code: "sops-failed", message: "`sops` failed", hint: "try `sops decrypt` by hand" },
};
