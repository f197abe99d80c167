/** The tag of what `npm test` leaves out, and `npm run laws` and `npm cit` run. */
export const law = { name: "law", description: "many random cases, growth against size, or the package" };
