/** A file of the program was cut or changed: on a full disk, or by a download that broke off. */
export const damagedCode = "ERR_DAMAGED";

export function damaged(file: string): Error {
  const text = `error[usage]: \`${file}\`, a file of valuefold, is damaged\n  hint  install valuefold again, whole\n`;
  return Object.assign(new Error(text), { code: damagedCode });
}

/** Someone copied the one file that starts the program. */
export const incomplete =
  "error[usage]: the files that valuefold loads, `program.cjs` and `parts/*.cjs`, are not beside it\n" +
  "  hint  link to the program or install the package; a copy of the one file is not enough\n";
