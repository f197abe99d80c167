// Bytes that remember whether they may be seen. What came from a Secret, or from a sealed layer, only ever reaches
// a Secret: whoever wants the bytes says which item they are for, and the one check stands here. So a front end
// cannot let a secret out by forgetting something.
import { hash } from "node:crypto";

/** Where bytes are to go: an item, by its kind. */
export interface Sink {
  readonly kind: string;
}

export class Guarded {
  readonly #bytes: Uint8Array;
  readonly isSecret: boolean;

  constructor(bytes: Uint8Array, isSecret: boolean) {
    this.#bytes = bytes;
    this.isSecret = isSecret;
  }

  get length(): number {
    return this.#bytes.length;
  }

  /** The bytes, for an item that holds them from now on. Throws where a secret would leave for any other kind: a bug. */
  for({ kind }: Sink): Uint8Array {
    if (this.isSecret && kind !== "Secret")
      throw new Error("a secret was about to leave for an item that is none");
    return this.#bytes;
  }

  equals(other: Guarded): boolean {
    return Buffer.compare(this.#bytes, other.#bytes) === 0;
  }

  /** Other bytes made of these, guarded as they are. */
  map(change: (bytes: Uint8Array) => Uint8Array): Guarded {
    return new Guarded(change(this.#bytes), this.isSecret);
  }

  /** True if the test holds for the bytes: nothing else of them gets out. */
  passes(test: (bytes: Uint8Array) => boolean): boolean {
    return test(this.#bytes);
  }

  /** Digest as a folded item records it. */
  digest(): string {
    return `sha256:${hash("sha256", this.#bytes, "hex")}`;
  }
}
