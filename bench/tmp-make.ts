import { writeFileSync } from "node:fs";
import { growth } from "./inputs/growth.ts";
const g = growth.find((x) => x.name === process.argv[2])!;
writeFileSync(process.argv[4]!, g.make(g.size * Number(process.argv[3])));
