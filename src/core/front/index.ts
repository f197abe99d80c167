// What other wings take of `front/`.
export { componentsIn, dataKeyFor, inlineOf, isComponent, isInPlace, referencesOf } from "./all.ts";
