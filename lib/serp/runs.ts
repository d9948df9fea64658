/** The code points that a font covers, as ascending pairs of first and last. */
export type Coverage = readonly (readonly [first: number, last: number])[];

/** A part of a text that the font covers (`em` is null), or one with an estimated width in ems. */
type Run = { text: string; em: number | null };

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Splits a text into grapheme clusters (user-perceived characters), which are never divided. */
function splitGraphemes(text: string): string[] {
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}

/**
 * Splits a text into parts that the bundled font covers and parts that it does not. Browser and server use the same
 * split, so that both measure the former and estimate the latter in the same way.
 */
export function splitRuns(text: string, coverage: Coverage): Run[] {
  const runs: Run[] = [];
  for (const grapheme of splitGraphemes(text)) {
    const last = runs.at(-1);
    if (isCovered(grapheme, coverage)) {
      if (last?.em === null) last.text += grapheme;
      else runs.push({ text: grapheme, em: null });
    } else {
      runs.push({ text: grapheme, em: estimateEm(grapheme) });
    }
  }
  return runs;
}

/** Checks whether the width of any part of a text is estimated. */
export function isEstimated(text: string, coverage: Coverage): boolean {
  return splitRuns(text, coverage).some(({ em }) => em !== null);
}

/** Encodes code point ranges as compact text for the browser: "20-7e,a0-17f". */
export function encodeCoverage(coverage: Coverage): string {
  return coverage.map(([first, last]) => `${first.toString(16)}-${last.toString(16)}`).join();
}

/** Decodes the text of `writeCoverage`. */
export function decodeCoverage(text: string): Coverage {
  return text.split(',').map((range) => {
    const [first = '', last = ''] = range.split('-');
    return [Number.parseInt(first, 16), Number.parseInt(last, 16)] as const;
  });
}

function isCovered(grapheme: string, coverage: Coverage): boolean {
  // Browsers render these with a color font even if the text's font has a glyph.
  if (/\p{Emoji_Presentation}|\uFE0F/u.test(grapheme)) return false;
  return Array.from(grapheme, (character) => character.codePointAt(0) ?? 0).every((point) =>
    containsPoint(coverage, point),
  );
}

function containsPoint(coverage: Coverage, point: number): boolean {
  let [low, high] = [0, coverage.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const [first = 0, last = 0] = coverage[middle] ?? [];
    if (point < first) high = middle - 1;
    else if (point > last) low = middle + 1;
    else return true;
  }
  return false;
}

/** Estimates the width: one em for East Asian characters, slightly more for emoji, and an average for others. */
function estimateEm(grapheme: string): number {
  if (/\p{Emoji_Presentation}|\uFE0F/u.test(grapheme)) return 1.25;
  if (/[\uFF61-\uFFDC]/u.test(grapheme)) return 0.5;
  if (
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303F\uFF00-\uFF60]/u.test(grapheme)
  )
    return 1;
  return /^[\p{M}\p{Cf}\p{Cc}]+$/u.test(grapheme) ? 0 : 0.6;
}

/** Measures the width of a text in pixels. */
type Ruler = (text: string) => number;

const ellipsis = '…';

/**
 * Truncates a text to a width: unchanged if it fits, otherwise as many whole words as fit before an ellipsis, or as many
 * characters if not even one word fits. Never divides a grapheme cluster. Empty only for an empty text or if nothing fits.
 */
export function trimToWidth(text: string, limitPx: number, ruler: Ruler): string {
  const whole = text.trim();
  if (ruler(whole) <= limitPx) return whole;
  const fits = (candidate: string) => ruler(candidate) <= limitPx;
  const words = whole.split(/\s+/);
  const count = findLargest(words.length - 1, (length) => fits(`${joinWords(words, length)} ${ellipsis}`));
  if (count > 0) return `${joinWords(words, count)} ${ellipsis}`;
  const letters = splitGraphemes(words[0] ?? '');
  const letterCount = findLargest(letters.length, (length) => fits(`${letters.slice(0, length).join('')}${ellipsis}`));
  return letterCount > 0 ? `${letters.slice(0, letterCount).join('')}${ellipsis}` : '';
}

/** Joins the first words without trailing punctuation, which would precede the ellipsis. */
function joinWords(words: readonly string[], length: number): string {
  const text = words.slice(0, length).join(' ');
  return text.replace(/[\s,;:–—|·-]+$/u, '') || text;
}

/** Returns the largest number up to `most` that satisfies a monotonic predicate; 0 for none. Uses a binary search. */
export function findLargest(most: number, holds: (value: number) => boolean): number {
  let [low, high] = [0, most];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
