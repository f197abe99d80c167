// Puts text on the clipboard. A page that is opened from disk may not have the browser's clipboard: then the text is
// selected and copied the old way.

/** False if neither way works. */
export async function copied(text: string, shown: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copiedBySelection(text, shown);
  }
}

/** Leaves what is shown selected, so that a reader can copy it by hand where this fails, too. */
function copiedBySelection(text: string, shown: HTMLElement): boolean {
  const fill = (event: ClipboardEvent): void => {
    event.preventDefault();
    event.clipboardData?.setData("text/plain", text);
  };
  getSelection()?.selectAllChildren(shown);
  document.addEventListener("copy", fill);
  try {
    return document.execCommand("copy");
  } finally {
    document.removeEventListener("copy", fill);
  }
}
