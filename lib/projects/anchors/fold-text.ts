import { normalizeAnchor } from '@/lib/links/compare-anchors';

/** Accents of Latin, Greek and Cyrillic letters, and the vowel signs of Hebrew and Arabic. */
const accents = /[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670]/g;
/** Letters that Unicode does not decompose, and how they are written without them. */
const plainLetters: Readonly<Record<string, string>> = {
  ...{ ø: 'o', đ: 'd', ð: 'd', ł: 'l', ħ: 'h', ŧ: 't', ı: 'i', æ: 'ae', œ: 'oe', þ: 'th' },
};
const isAscii = /^[\x20-\x7e]*$/;

/** Returns a text without case, accents and trademark signs, with typed characters and single hyphens. */
export function foldText(text: string): string {
  if (isAscii.test(text)) return text.toLowerCase().replace(/-+/g, '-').trim();
  return normalizeAnchor(text.replace(/[™®©℠]/g, ' '))
    .normalize('NFKD')
    .replace(accents, '')
    .replace(/[øđðłħŧıæœþ]/g, (letter) => plainLetters[letter] ?? letter)
    .normalize('NFC');
}

const spaceless = ['Han', 'Hiragana', 'Katakana', 'Bopomofo', 'Thai', 'Lao', 'Khmer', 'Myanmar', 'Tibetan']
  .map((script) => `\\p{Script=${script}}`)
  .join('');
/** A character of a script that is written without spaces between words. */
const isSpaceless = new RegExp(`[${spaceless}]`, 'u');
const units = new RegExp(`[${spaceless}]\\p{M}*|(?:(?![${spaceless}])[\\p{L}\\p{N}\\p{M}])+`, 'gu');
const possessive = /['`]s(?![\p{L}\p{N}])/gu;

/**
 * Splits a folded text into what it is compared by: its words without punctuation and possessives, and the characters of
 * scripts without spaces between words.
 */
export const splitUnits = (folded: string): string[] => folded.replace(possessive, '').match(units) ?? [];

/** Returns the keys of a name or keyword, by which it is found also with other spaces or hyphens; none without letters. */
export function listKeys(text: string): string[] {
  const folded = foldText(text);
  const keys = [splitUnits(folded), splitUnits(folded.replace(/['`]/g, ''))].map((parts) => parts.join(''));
  return [...new Set(keys)].filter((key) => key !== '');
}

/** Returns the key by which uses of a text are counted: other spellings are other texts. */
export const toTextKey = (text: string): string => text.normalize('NFC').replace(/\s+/g, ' ').trim();

const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

/** Splits a folded keyword into words, in scripts without spaces by a dictionary. */
export function splitWords(folded: string): string[] {
  if (!isSpaceless.test(folded)) return splitUnits(folded);
  return [...segmenter.segment(folded)].flatMap(({ segment }) => splitUnits(segment).join('') || []);
}

/** Checks whether a text has a word: as one of its units, in scripts without spaces anywhere. */
export const hasWord = (word: string, of: ReadonlySet<string>, joined: string): boolean =>
  of.has(word) || (joined.includes(word) && isSpaceless.test(word));
