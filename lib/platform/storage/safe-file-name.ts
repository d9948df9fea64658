/** Characters of a name; file systems take 255 bytes, and a download may get " (1)" added. */
const maxCharacters = 120;
const maxBytes = 200;

/**
 * A name that is safe to keep, show and download, as close to the given one as can be: no path, no control
 * characters, none of the invisible marks that turn the reading direction ("fdp.exe" shown as "exe.pdf"), no leading
 * or trailing dots and spaces. Letters of every script, quotes and emoji stay.
 * @returns never empty; "content" when nothing usable is left
 */
export function safeFileName(given: string): string {
  const lastPart = Buffer.from(given, 'utf8').toString('utf8').split(/[/\\]/).at(-1) ?? '';
  const clean = lastPart
    .normalize('NFC')
    .replace(/[\t\r\n\u2028\u2029]+/g, ' ')
    // Control characters, marks of direction and other invisible ones; joiners (U+200C, U+200D) hold scripts and emoji together.
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\uFFFD]/gu, (character) => (/[\u200C\u200D]/.test(character) ? character : ''))
    .replace(/ {2,}/g, ' ')
    .replace(/^[.\s]+|[.\s]+$/g, '');
  const { stem, extension } = splitName(clean);
  return shorten(stem || 'content', extension) + extension;
}

/** The stem, and the extension with its dot or '' (at most 10 letters and digits). */
export function splitName(name: string): { stem: string; extension: string } {
  const extension = /\.[a-z0-9]{1,10}$/i.exec(name)?.[0] ?? '';
  return { stem: name.slice(0, name.length - extension.length), extension };
}

/** Cuts between characters as people see them, so that no letter or emoji is halved. */
function shorten(stem: string, extension: string): string {
  let kept = '';
  let characters = 0;
  for (const { segment } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(stem)) {
    characters += 1;
    if (characters > maxCharacters || Buffer.byteLength(kept + segment + extension) > maxBytes) break;
    kept += segment;
  }
  return kept.trimEnd() || 'content';
}
