// A `.git` whose settings, hooks, filters and missing objects run programs or ask servers.
import type { Draft } from "./hostile-draft.ts";
import { programText } from "./hostile-outside.ts";

export function git(draft: Draft): void {
  const { program, folder, port } = draft.outside;
  const attacks: Readonly<Record<string, () => void>> = {
    fsmonitor: () => draft.config.push("[core]", `\tfsmonitor = "${program} fsmonitor; false"`),
    hooks: () => {
      for (const name of [
        "post-index-change",
        "post-checkout",
        "pre-commit",
        "reference-transaction",
        "fsmonitor-watchman",
        "post-rewrite",
      ])
        draft.gitFiles.set(`hooks/${name}`, programText(draft.outside, `hook-${name}`));
      if (draft.random.once(2)) draft.config.push("[core]", "\thooksPath = .git/hooks");
    },
    filters: () => {
      draft.config.push(
        '[filter "x"]',
        `\tclean = "${program} clean; cat"`,
        `\tsmudge = "${program} smudge; cat"`,
        `\tprocess = "${program} process"`,
      );
      attributes(draft, draft.random.pick(["* filter=x", "* filter=lfs", "*.yaml filter=x diff=x merge=x"]));
    },
    diffs: () => {
      draft.config.push(
        "[diff]",
        `\texternal = ${program}`,
        '[diff "x"]',
        `\ttextconv = ${program}`,
        `\tcommand = ${program}`,
      );
      attributes(draft, "* diff=x");
    },
    programs: () =>
      draft.config.push(
        "[core]",
        `\tpager = ${program}`,
        `\teditor = ${program}`,
        `\tsshCommand = ${program}`,
        `\taskPass = ${program}`,
        `\tgitProxy = ${program}`,
        `\talternateRefsCommand = ${program}`,
        "[credential]",
        `\thelper = "!${program}"`,
        "[gpg]",
        `\tprogram = ${program}`,
        "[uploadpack]",
        `\tpackObjectsHook = ${program}`,
        "[pager]",
        `\tls-tree = ${program}`,
        `\tdiff = ${program}`,
        `\tlog = ${program}`,
        "[alias]",
        `\tls-tree = "!${program}"`,
        `\tdiff = "!${program}"`,
      ),
    promisor: () => {
      draft.isWithoutBlobs = true;
      const remote = draft.random.pick([
        `ext::${program} promisor`,
        `http://127.0.0.1:${port}/r.git`,
        `git://127.0.0.1:${port}/r.git`,
        "git@127.0.0.1:r.git",
      ]);
      draft.config.push(
        "[core]",
        "\trepositoryformatversion = 1",
        "[extensions]",
        "\tpartialClone = evil",
        '[remote "evil"]',
        `\turl = ${remote}`,
        "\tpromisor = true",
        "\tpartialclonefilter = blob:none",
        "[protocol]",
        "\tallow = always",
        '[protocol "ext"]',
        "\tallow = always",
      );
    },
    include: () => draft.config.push("[include]", `\tpath = ${folder}/git-config`),
    worktree: () => draft.config.push("[core]", `\tworktree = ${folder}`),
    alternates: () => draft.gitFiles.set("objects/info/alternates", `${folder}\n`),
    shallow: () => draft.gitFiles.set("info/attributes", "* filter=x diff=x\n"),
  };
  const name = draft.attack("git", attacks);
  attacks[name]?.();
}

function attributes(draft: Draft, line: string): void {
  if (draft.random.once(2)) draft.gitFiles.set("info/attributes", `${line}\n`);
  else draft.change(".gitattributes", `${line}\n`);
}
