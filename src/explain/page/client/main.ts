// The script of the pages: unpacks the data, and shows what the address and the search ask for.
import type { PageData } from "../write.ts";
import { ComparisonSubject } from "./comparison-subject.ts";
import { element, nothing } from "./dom.ts";
import { ExplanationSubject } from "./explanation-subject.ts";
import { Screen } from "./screen.ts";

async function read(): Promise<PageData> {
  const text = document.querySelector("#data")?.textContent ?? "";
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return (await new Response(unpacked).json()) as PageData;
}

async function start(): Promise<void> {
  const { shown, links } = await read();
  const subject =
    shown.kind === "Comparison" ? new ComparisonSubject(shown) : new ExplanationSubject(shown, links);
  new Screen(subject).start();
}

// A page that was cut off, or a browser that is too old for it.
start().catch((error: unknown) => {
  document.body.append(element("main", {}, nothing("This browser cannot read the data of the page.")));
  throw error;
});
