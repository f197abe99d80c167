// Calls of include functions in a Go template, by its own lexical rules: strings, raw strings, characters and comments
// hold no calls. Nothing is run, and nothing is changed.

interface Call {
  /** The function's name. */
  readonly name: string;
  /** Its first operand; absent where it is piped in. */
  readonly operand: string | undefined;
}

/** What a template includes. */
export interface Included {
  /** By function: the names that are spelled out. */
  readonly names: ReadonlyMap<string, ReadonlySet<string>>;
  /** Functions that are called with what only rendering tells. */
  readonly open: ReadonlySet<string>;
}

export function includesIn(text: string, functions: ReadonlySet<string>): Included {
  const names = new Map<string, Set<string>>();
  const open = new Set<string>();
  for (const { name, operand } of callsIn(text, functions)) {
    const literal = operand === undefined ? undefined : literalOf(operand);
    if (literal === undefined) open.add(name);
    else names.set(name, (names.get(name) ?? new Set()).add(literal));
  }
  return { names, open };
}

function literalOf(source: string): string | undefined {
  const text = source.slice(1, -1);
  return source.startsWith("`") || (source.startsWith('"') && !text.includes("\\")) ? text : undefined;
}

function* callsIn(text: string, functions: ReadonlySet<string>): Generator<Call> {
  for (let at = text.indexOf("{{"); at >= 0; at = text.indexOf("{{", at)) {
    at += 2;
    const comment = /^(?:- )?\s*\/\*/.exec(text.slice(at, at + 64));
    if (comment !== null) {
      const end = text.indexOf("*/", at + comment[0].length);
      if (end < 0) return;
      at = end + 2;
      continue;
    }
    const action = actionAt(text, at, functions);
    yield* action.calls;
    at = action.end;
  }
}

const token =
  /"(?:[^"\\\n]|\\.)*"?|`[^`]*`?|'(?:[^'\\\n]|\\.)*'?|\}\}|[.$]?[A-Za-z_][A-Za-z0-9_]*|[0-9][0-9A-Za-z_.]*|[^]/g;

function actionAt(
  text: string,
  from: number,
  functions: ReadonlySet<string>,
): { calls: Call[]; end: number } {
  const calls: Call[] = [];
  const tokens = new RegExp(token);
  tokens.lastIndex = from;
  for (let found = tokens.exec(text); found !== null; found = tokens.exec(text)) {
    const [name] = found;
    const end = tokens.lastIndex;
    if (name === "}}") return { calls, end };
    if (functions.has(name)) calls.push({ name, operand: operandAt(text, end) });
  }
  return { calls, end: text.length };
}

/** The first operand behind a name: a string, what stands in parentheses, a field or a variable. */
function operandAt(text: string, from: number): Call["operand"] {
  const tokens = new RegExp(token);
  tokens.lastIndex = from;
  let start = -1;
  let depth = 0;
  for (let found = tokens.exec(text); found !== null; found = tokens.exec(text)) {
    const [piece] = found;
    if (start < 0 && /^\s$/.test(piece)) continue;
    const isEnd = depth === 0 && (/^[\s|,]$/.test(piece) || piece === ")" || piece === "}}");
    if (isEnd) return start < 0 ? undefined : text.slice(start, found.index);
    if (start < 0) start = found.index;
    if (piece === "(") depth++;
    if (piece === ")") depth--;
  }
  return undefined;
}
