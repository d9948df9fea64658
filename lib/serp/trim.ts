import { graphemesOf } from './runs';

/** How wide a text is, in pixels. */
export type Ruler = (text: string) => number;

const ellipsis = '…';

/**
 * What of a text fits: all of it, or as many whole words as fit before an ellipsis, or, where not even one does, as
 * many characters. A character as people see it is never cut. Empty only for an empty text, or where nothing fits.
 */
export function trimToWidth(text: string, limitPx: number, ruler: Ruler): string {
  const whole = text.trim();
  if (ruler(whole) <= limitPx) return whole;
  const fits = (candidate: string) => ruler(candidate) <= limitPx;
  const words = whole.split(/\s+/);
  const count = largest(words.length - 1, (length) => fits(`${wordsUntil(words, length)} ${ellipsis}`));
  if (count > 0) return `${wordsUntil(words, count)} ${ellipsis}`;
  const letters = graphemesOf(words[0] ?? '');
  const kept = largest(letters.length, (length) => fits(`${letters.slice(0, length).join('')}${ellipsis}`));
  return kept > 0 ? `${letters.slice(0, kept).join('')}${ellipsis}` : '';
}

/** Without the punctuation that would stand before the ellipsis. */
function wordsUntil(words: readonly string[], length: number): string {
  const text = words.slice(0, length).join(' ');
  return text.replace(/[\s,;:–—|·-]+$/u, '') || text;
}

/** The largest number up to `most` that holds, where all below hold as well; 0 when none does. */
export function largest(most: number, holds: (value: number) => boolean): number {
  let [low, high] = [0, most];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
