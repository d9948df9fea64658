/** Characters that are not seen: format characters, selectors of variants and the like. */
const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
/** The lines that make Arabic words longer, and characters of icon fonts. */
const decoration = /[\u0640\u07fa\p{Co}]/gu;

/** What publishing systems write in place of typed characters, in this order. */
const replacements: readonly (readonly [typeset: RegExp, typed: string])[] = [
  // The spaces inside of French quotation marks.
  [/(?<![^\s([{'\u2019])([«‹])\s+/g, '$1'],
  [/\s+([»›])(?![^\s.,;:!?)\]}])/g, '$1'],
  [/[\u2034\u2037]/g, '"\''],
  [/\u2057/g, '""'],
  [/[\u201c-\u201f\u2033\u2036\u02ba\u00ab\u00bb\u275d\u275e\u301d-\u301f]|[`'\u2018\u2019\u2032\u00b4]{2}/g, '"'],
  [/[\u2018-\u201b\u2032\u2035\u2039\u203a\u02b9\u02bb\u02bc\u00b4\u0060\u275b\u275c\ua78c]/g, "'"],
  [/[\u2715\u2716\u2a2f\u00d7]/g, 'x'],
  [/™/g, '(tm)'],
  [/℠/g, '(sm)'],
  [/©/g, '(c)'],
  [/®/g, '(r)'],
  // A whole number and a fraction: 1½ is 1 1/2, not 11/2.
  [/(?<=\d)(?=[\u00bc-\u00be\u2150-\u215e\u2189])/g, ' '],
  [/[\u2044\u2215]/g, '/'],
  [/[-\u2010-\u2015\u2212]+/g, '-'],
];
const replace = (text: string) =>
  replacements.reduce((result, [typeset, typed]) => result.replace(typeset, typed), text);

/**
 * Returns an anchor text in the form in which texts are compared: without case, with single spaces, without invisible
 * characters, and with typed characters in place of those by which publishing systems replace them: quotes, primes,
 * dashes, dots, the sign of multiplication, fractions and the signs of trademarks.
 */
export function normalizeAnchor(text: string): string {
  // The normal form resolves signs such as the double prime, and others into signs that are replaced.
  return (
    replace(replace(text.replace(invisible, '')).normalize('NFKC').replace(invisible, '').replace(decoration, ''))
      .replace(/[\s\u0085\u2800]+/g, ' ')
      .trim()
      // By way of the upper case: ß and SS are one letter, and so are the letters i of Turkish and other languages.
      .toLowerCase()
      .toUpperCase()
      .toLowerCase()
      .replace(/i\u0307+/g, 'i')
      .replace(/ς/g, 'σ')
      .normalize('NFKC')
  );
}

/** Checks whether a text has a visible character: not a space, a format character or the blank pattern of Braille. */
export const hasText = (text: string): boolean => /[^\s\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);
