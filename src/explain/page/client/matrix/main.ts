// The script of the page of a comparison: reads its data, and shows it.
import type { EncodedMatrix } from "../../matrix/encoded.ts";
import { Screen } from "./screen.ts";
import { Sheet } from "./sheet.ts";

const data = document.querySelector("#comparison")?.textContent ?? "";
new Screen(new Sheet(JSON.parse(data) as EncodedMatrix)).start();
