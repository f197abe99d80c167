// The words of a YAML text, by the `yaml` library, with two rules of Go in place of its own. The library
// takes the column of a comment or of a blank line for the bound of the text below it, and then reads the next entries
// as lines of that text (`-\n#c\n  v\n- w` is one entry, "v - w"); and a colon belongs to the name of an anchor (`*app: 1`).
import { Lexer } from "yaml";

/** The library's own members. */
interface LexerState {
  /** The least column of a line that goes on with the text above it. */
  indentNext: number;
  /** Reads to the first character that ends a word. */
  pushUntil: (isEnd: (character: string) => boolean) => Generator<string, number>;
  charAt: (ahead: number) => string;
}

/** The words of a text, to be parsed. A line without content leaves the bound as it was. */
export function* lexemesOf(text: string): Generator<string> {
  const lexer = new Lexer();
  const state = lexer as unknown as LexerState;
  const { pushUntil } = state;
  state.pushUntil = (isEnd): Generator<string, number> =>
    pushUntil.call(lexer, /[&*]/.test(state.charAt(0)) ? (each) => each === ":" || isEnd(each) : isEnd);
  let bound = 0;
  let hasContent = true;
  for (const lexeme of lexer.lex(text)) {
    if (lexeme === "\n" || lexeme === "\r\n") {
      if (hasContent) bound = state.indentNext;
      else state.indentNext = bound;
      hasContent = false;
    } else if (!lexeme.startsWith("#") && lexeme.trim() !== "") hasContent = true;
    yield lexeme;
  }
}
