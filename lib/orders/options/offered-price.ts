import { wordsRange } from '@/lib/orders/briefs/limits';
import type { OfferedOption } from './contract';

/** Calculates `cents * part / whole`, rounded half up, without the loss of a product beyond the safe range. */
export const multiply = (cents: number, part: number, whole: number): number =>
  Number((BigInt(cents) * BigInt(part) * 2n + BigInt(whole)) / (BigInt(whole) * 2n));

type WordPrice = { per100WordsCents: number; minimumCents: number; minWords: number };

/** Prices an article by its words: at least the minimum, and as an article of `minWords`. */
export const priceWords = (words: number, { per100WordsCents, minimumCents, minWords }: WordPrice): number =>
  Math.max(multiply(per100WordsCents, Math.max(words, minWords), 100), minimumCents);

/**
 * Prices an option that a buyer is offered, in USD cents, as the order does.
 * @param words the words of the article; null for an unknown number, which is priced as the shortest article
 */
export function priceOffered(option: OfferedOption, words: number | null): number {
  const { kind, surchargeCents, minimumCents = 0, minWords = 0 } = option;
  if (surchargeCents === null) return 0;
  if (kind !== 'writing') return surchargeCents;
  return priceWords(words ?? 0, { per100WordsCents: surchargeCents, minimumCents, minWords });
}

/** Splits the ids of options in a brief's text, as carts and drafts store them. */
export const splitIds = (text: string): string[] =>
  text
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '');

/**
 * Returns the ids after a choice: an option is chosen or removed, and one of a kind of which there is one at most
 * replaces the other.
 */
export function toggleOption(offered: readonly OfferedOption[], ids: readonly string[], id: string): string[] {
  if (ids.includes(id)) return ids.filter((one) => one !== id);
  const kind = offered.find((option) => option.id === id)?.kind;
  const isReplaced = (other: string) =>
    kind !== 'topic' && offered.find((option) => option.id === other)?.kind === kind;
  return [...ids.filter((one) => !isReplaced(one)), id];
}

/** Parses the words of a brief's text; null for no number that a brief accepts. */
export function parseWordCount(text: string): number | null {
  const words = /^\d{1,6}$/.test(text.trim()) ? Number(text) : Number.NaN;
  return words >= wordsRange.min && words <= wordsRange.max ? words : null;
}
