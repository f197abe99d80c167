// How new text is written, so that every YAML reader around (1.1 and 1.2, Go and JavaScript) reads it back.

const safePlain = /^[A-Za-z][A-Za-z0-9_./-]*$/;
const reserved = /^(?:y|n|yes|no|on|off|true|false|null|nan|inf)$/i;

/** A new scalar: plain where no reader can misread it, else double-quoted. */
export function quote(text: string): string {
  return safePlain.test(text) && !reserved.test(text) ? text : doubleQuote(text);
}

/** JSON string syntax, with the characters escaped that YAML readers take for line breaks or refuse. */
export function doubleQuote(text: string): string {
  return JSON.stringify(text).replaceAll(/[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g, (c) => {
    return `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/** True if a literal block keeps the text: nothing a Go reader refuses or takes for a line break. */
export function isLiteralSafe(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- naming control characters is the point
  return !/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/.test(text);
}

/** Text with many double quotes reads better in single ones. */
export function quoteReadably(text: string): string {
  const single = text.includes('"') && isLiteralSafe(text) && !text.includes("\n") && !text.includes("\t");
  return single ? `'${text.replaceAll("'", "''")}'` : quote(text);
}
