// The environment that another program gets: what it needs to run, and nothing else. Tokens of a job are in the whole one.

import type { Environment } from "./keys.ts";

const basic =
  /^(?:PATH|HOME|USER|LOGNAME|LANG|LC_\w+|TZ|TERM|TMPDIR|TMP|TEMP|SYSTEMROOT|WINDIR|PATHEXT|COMSPEC|USERPROFILE|APPDATA|LOCALAPPDATA)$/i;

/** @param more names of variables that the program reads besides */
export function environmentOf(env: Environment, more?: RegExp): Environment {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => basic.test(name) || more?.test(name) === true),
  );
}
