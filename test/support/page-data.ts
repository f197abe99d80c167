// What a page holds for its script.
import { gunzipSync } from "node:zlib";
import type { PageData } from "../../src/explain/page/write.ts";

export const dataForm = /<script type="application\/gzip" id="data">([A-Za-z0-9+/=]*)<\/script>/;

/** The data as text. */
export function dataText(page: string): string {
  return gunzipSync(Buffer.from(dataForm.exec(page)?.[1] ?? "", "base64")).toString("utf8");
}

export function dataOf(page: string): PageData {
  return JSON.parse(dataText(page)) as PageData;
}
