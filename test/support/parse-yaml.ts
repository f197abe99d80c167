// YAML as Go reads it: the `yaml` package alone misreads text below a comment that is less deep.
import {
  Composer,
  type Document,
  type DocumentOptions,
  Parser,
  type ParseOptions,
  type SchemaOptions,
} from "yaml";
import { lexemesOf } from "../../src/yaml/lexemes.ts";

/** The first document of a text. */
export function parseYaml(
  text: string,
  options: ParseOptions & DocumentOptions & SchemaOptions,
): Document.Parsed {
  const parser = new Parser();
  const tokens = [...lexemesOf(text)].flatMap((lexeme) => [...parser.next(lexeme)]);
  const documents = new Composer(options).compose([...tokens, ...parser.end()], true, text.length);
  return documents.next().value as Document.Parsed;
}
