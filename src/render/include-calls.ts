// Calls of include functions in a Go template, by its own lexical rules: strings, raw strings, characters and comments
// hold no calls. Nothing is run, and nothing is changed.

interface Call {
  /** The function's name. */
  readonly name: string;
  /** The text that it is called with; absent where only rendering tells. */
  readonly literal: string | undefined;
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
  for (const { name, literal } of callsIn(text, functions)) {
    if (literal === undefined) open.add(name);
    else names.set(name, (names.get(name) ?? new Set()).add(literal));
  }
  return { names, open };
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
    if (functions.has(name)) calls.push({ name, literal: literalAt(text, tokens.lastIndex) });
  }
  return calls;
}

/** What follows a name, if that is one text that is spelled out. No more is read: calls may nest in calls. */
function literalAt(text: string, from: number): string | undefined {
  const tokens = new RegExp(token);
  tokens.lastIndex = from;
  let found = tokens.exec(text);
  while (found !== null && /^\s$/.test(found[0])) found = tokens.exec(text);
  const [source = ""] = found ?? [];
  const behind = text.slice(tokens.lastIndex, tokens.lastIndex + 2);
  return found !== null && /^(?:[\s|,)]|\}\}|$)/.test(behind) ? literalOf(source) : undefined;
}

function literalOf(source: string): string | undefined {
  const text = source.slice(1, -1);
  return source.startsWith("`") || (source.startsWith('"') && !text.includes("\\")) ? text : undefined;
}
