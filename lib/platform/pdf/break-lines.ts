/** A part of a text that is not broken, unless it is longer than a line: a range of its characters (UTF-16). */
export type Unit = { start: number; end: number };

/** Scripts that have no spaces between words. */
const withoutSpaces = /[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;
const opening = /^[\p{Ps}\p{Pi}]$/u;

let words: Intl.Segmenter | undefined;
let graphemes: Intl.Segmenter | undefined;

/**
 * Splits a text into the parts between which a line may end: at spaces, and in scripts without spaces also between
 * words. Punctuation stays with the word before it, and an opening bracket with the word after it.
 */
export function splitUnits(text: string): Unit[] {
  const units: Unit[] = [];
  for (const { 0: word, index } of text.matchAll(/\S+/g)) {
    if (!withoutSpaces.test(word)) units.push({ start: index, end: index + word.length });
    else units.push(...splitWords(word).map(({ start, end }) => ({ start: index + start, end: index + end })));
  }
  return units;
}

function splitWords(text: string): Unit[] {
  words ??= new Intl.Segmenter('th', { granularity: 'word' });
  const units: Unit[] = [];
  let isOpen = false;
  for (const { segment, index, isWordLike } of words.segment(text)) {
    const last = units.at(-1);
    const isOpening = opening.test(segment);
    if (last && (isOpen || !(isWordLike || isOpening))) last.end = index + segment.length;
    else units.push({ start: index, end: index + segment.length });
    isOpen = isOpening;
  }
  return units;
}

/** Splits a text into what a reader sees as characters. */
export function splitGraphemes(text: string): string[] {
  if (/^[\x20-\x7e]*$/.test(text)) return [...text];
  graphemes ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}
