import { splitGraphemes } from './runs';

/** Measures the width of a text in pixels. */
export type Ruler = (text: string) => number;

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
