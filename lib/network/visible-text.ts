/** Scripts in which a joiner between two letters changes how they are written, as in Persian and in Hindi. */
const joiningScripts = [
  ...[
    'Arabic',
    'Syriac',
    'Mongolian',
    'Nko',
    'Devanagari',
    'Bengali',
    'Gurmukhi',
    'Gujarati',
    'Oriya',
    'Tamil',
    'Telugu',
  ],
  ...['Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar', 'Tibetan'],
]
  .map((script) => `\\p{Script=${script}}`)
  .join('');

/** Characters that are not shown, but belong to what is shown. */
const meaningful = [
  // Neighbors that are not shown themselves, e.g. the Arabic letter mark, do not count.
  `(?<=(?!\\p{Default_Ignorable_Code_Point})[${joiningScripts}\\p{M}])[\\u200C\\u200D](?=(?!\\p{Default_Ignorable_Code_Point})[${joiningScripts}])`,
  // Emoji of several parts, with a color or in a plain form, numbers in a box, and flags of regions.
  '(?<=[\\p{ExtPict}\\p{EMod}]\\uFE0F?)\\u200D(?=\\p{ExtPict})',
  '(?<=\\p{ExtPict})[\\uFE0E\\uFE0F]|(?<=[\\d#*])\\uFE0F(?=\\u20E3)',
  // At most six letters and an end; without a limit, a long text of them would take minutes.
  '(?<=\\u{1F3F4}[\\u{E0020}-\\u{E007E}]{0,6})[\\u{E0020}-\\u{E007F}]',
  // Variants of Han characters, as in Japanese names.
  '(?<=\\p{Script=Han})[\\uFE00-\\uFE02\\u{E0100}-\\u{E01EF}]',
].join('|');
const formatCharacters = new RegExp(`(${meaningful})|[\\p{Default_Ignorable_Code_Point}\\uFFF9-\\uFFFB]`, 'gu');
const visible = /[^\s\p{M}\p{Cc}\p{Cf}\p{Cs}\u2800]/u;
const printableAscii = /^[\x20-\x7e]*$/;

/**
 * Removes characters that are not shown: marks of text direction, spaces without width, byte order marks, soft hyphens.
 * Joiners remain between letters of the scripts that write with them and inside emoji.
 */
export const removeFormatCharacters = (text: string): string =>
  printableAscii.test(text) ? text : text.replace(formatCharacters, (_, kept: string | undefined) => kept ?? '');

/** Normalizes a text of one line, e.g. a name: composed (NFC), trimmed, without characters that are not shown. '' if nothing is shown. */
export function normalizeLine(text: string): string {
  const line = removeFormatCharacters(text.normalize('NFC')).trim();
  return hasVisibleText(line) ? line : '';
}

/** Trims prose, in which characters that are not shown can have a meaning. @returns '' if nothing is shown */
export const trimProse = (text: string): string => (hasVisibleText(text) ? text.trim() : '');

const hasVisibleText = (text: string): boolean => visible.test(removeFormatCharacters(text));
