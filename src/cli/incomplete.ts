/** Someone copied the one file that starts the program. */
export const incomplete =
  "error[usage]: the files that valuefold loads, `program.cjs` and `parts/*.cjs`, are not beside it\n" +
  "  hint  link to the program or install the package; a copy of the one file is not enough\n";
