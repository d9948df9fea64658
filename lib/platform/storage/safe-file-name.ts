/** The maximum length of a name; file systems allow 255 bytes, and a download may have " (1)" appended. */
const maxCharacters = 120;
const maxBytes = 200;

/**
 * Sanitizes a file name for storing, display and download: no path, no control characters, no invisible marks that
 * change the reading direction ("fdp.exe" shown as "exe.pdf"), no leading or trailing dots and spaces. Letters of all
 * scripts, quotes and emoji are kept.
 * @returns a non-empty name; "content" when no valid character is left
 */
export function safeFileName(input: string): string {
  const lastPart = Buffer.from(input, 'utf8').toString('utf8').split(/[/\\]/).at(-1) ?? '';
  const clean = lastPart
    .normalize('NFC')
    .replace(/[\t\r\n\u2028\u2029]+/g, ' ')
    // Control characters, direction marks and other invisible characters. Joiners (U+200C, U+200D) are part of scripts
    // and emoji.
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\uFFFD]/gu, (character) => (/[\u200C\u200D]/.test(character) ? character : ''))
    .replace(/ {2,}/g, ' ')
    .replace(/^[.\s]+|[.\s]+$/g, '');
  const { stem, extension } = splitName(clean);
  return shorten(stem || 'content', extension) + extension;
}

/** Splits a name into the stem, and the extension with its dot or '' (at most 10 letters and digits). */
export function splitName(name: string): { stem: string; extension: string } {
  const extension = /\.[a-z0-9]{1,10}$/i.exec(name)?.[0] ?? '';
  return { stem: name.slice(0, name.length - extension.length), extension };
}

/** Truncates at grapheme boundaries, so that no letter or emoji is split. */
function shorten(stem: string, extension: string): string {
  let truncated = '';
  let characters = 0;
  for (const { segment } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(stem)) {
    characters += 1;
    if (characters > maxCharacters || Buffer.byteLength(truncated + segment + extension) > maxBytes) break;
    truncated += segment;
  }
  return truncated.trimEnd() || 'content';
}
