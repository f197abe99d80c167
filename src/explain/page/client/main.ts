// The script of the page: reads its data, and shows what the address and the search ask for.
import type { EncodedPage } from "../encoded.ts";
import { open } from "./book.ts";
import { Screen } from "./screen.ts";

const data = document.querySelector("#explanation")?.textContent ?? "";
new Screen(open(JSON.parse(data) as EncodedPage)).start();
