// What other wings take of `front/`.
export {
  componentsIn,
  dataKeyFor,
  frontEndOf,
  frontEnds,
  inlineOf,
  isComponent,
  keyAsked,
  referencesOf,
} from "./all.ts";
