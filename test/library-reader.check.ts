// Only under vitest.library.config.ts: that the switch is really thrown.
import { expect, test } from "vitest";
import { readDocument } from "../src/yaml/read.ts";

test("every document is read by the library", () => {
  expect(readDocument(Buffer.from("a: 1\n"))).not.toHaveProperty("plain");
});
