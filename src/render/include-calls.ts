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
  for (const { start, end, isComment } of actionsIn(text))
    if (!isComment) yield* callsOf(text, start + 2, end, functions);
}

/** From `{{` to behind `}}`. */
interface Action {
  readonly start: number;
  readonly end: number;
  readonly isComment: boolean;
}

/** What a template does, in order; all else in it is text that is written as it stands. */
export function* actionsIn(text: string): Generator<Action> {
  for (let start = text.indexOf("{{"); start >= 0;) {
    const comment = /^\{\{(?:-\s)?\s*\/\*/.exec(text.slice(start, start + 64));
    const end = comment === null ? actionEnd(text, start + 2) : commentEnd(text, start + comment[0].length);
    yield { start, end, isComment: comment !== null };
    start = text.indexOf("{{", end);
  }
}

const token =
  /"(?:[^"\\\n]|\\.)*"?|`[^`]*`?|'(?:[^'\\\n]|\\.)*'?|\}\}|[.$]?[A-Za-z_][A-Za-z0-9_]*|[0-9][0-9A-Za-z_.]*|[^]/g;

function commentEnd(text: string, from: number): number {
  const end = text.indexOf("*/", from);
  return end < 0 ? text.length : actionEnd(text, end + 2);
}

function actionEnd(text: string, from: number): number {
  const tokens = new RegExp(token);
  tokens.lastIndex = from;
  for (let found = tokens.exec(text); found !== null; found = tokens.exec(text))
    if (found[0] === "}}") return tokens.lastIndex;
  return text.length;
}

function callsOf(text: string, from: number, to: number, functions: ReadonlySet<string>): Call[] {
  const calls: Call[] = [];
  const tokens = new RegExp(token);
  tokens.lastIndex = from;
  for (let found = tokens.exec(text); found !== null && found.index < to; found = tokens.exec(text)) {
    const [name] = found;
    if (functions.has(name)) calls.push({ name, operand: operandAt(text, tokens.lastIndex) });
  }
  return calls;
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
