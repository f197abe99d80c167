// Texts in Markdown, in which nothing of them acts.

/** As code, whatever backticks, bars and ends of lines are in it; a comment is no place for long texts. */
export function code(text: string): string {
  const line = text.length > 200 ? `${text.slice(0, 199)}…` : text;
  const safe = line.replaceAll(/[\r\n]/g, " ").replaceAll("|", "\\|");
  const longest = Math.max(0, ...[...safe.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const pad = safe.startsWith("`") || safe.endsWith("`") ? " " : "";
  return safe === "" ? "` `" : `${fence}${pad}${safe}${pad}${fence}`;
}

/** Words, with nothing in them that Markdown reads. */
export function plain(text: string): string {
  return text.replaceAll(/[<>[\]*_`]/g, (character) => `\\${character}`);
}
