// What seals a value, and why a sealed one stays so: words that travel as values, and become a diagnostic only where
// the layer would have been folded.

/** Why SOPS did not do what it was asked; `not-asked` where no other program may run. */
export type SopsFault =
  | "missing"
  | "no-folder"
  | "no-key"
  | "tampered"
  | "malformed"
  | "timeout"
  | "failed"
  | "not-asked";

const sopsMarker = /(?:^|\n)sops:\s*\n|"sops"\s*:\s*\{/;
const macMarker = /mac"?: "?ENC\[|sops_mac=ENC\[/;

/** True for text that is a SOPS file. */
export function isSopsFile(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (!buffer.includes("ENC[")) return false;
  const text = buffer.toString("latin1");
  return macMarker.test(text) && sopsMarker.test(text);
}
