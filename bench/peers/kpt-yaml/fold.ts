import { parse, stringify } from "yaml";
import { foldWith } from "../kpt-fold.ts";

foldWith({ parse: (text) => parse(text) as object | undefined, stringify: (values) => stringify(values) });
