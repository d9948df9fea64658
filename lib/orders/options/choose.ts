import type { orderOptions } from '@/db/schema/site-options';
import { wordsRange } from '@/lib/orders/briefs/limits';
import type { Brief } from '@/lib/orders/briefs/schemas';
import type { SiteOptionRow } from '@/lib/sites/options/contract';
import { topicNames } from '@/lib/sites/options/names';
import type { PricedListing } from './contract';
import { isForSale, type OptionOffer } from './offered';
import { priceOption } from './price';

/** An option of an order to be created, with its price and shares. */
export type ChosenOption = Omit<typeof orderOptions.$inferInsert, 'id' | 'orderId' | 'createdAt' | 'isExtension'>;

/** The options that a buyer chose of a listing; `problem` is the first reason why they cannot be ordered. */
export type Choice = { chosen: ChosenOption[]; problem: string | null };

/**
 * Prices the options that a brief chooses of a listing.
 * @param listing null for a listing that its publisher does not fulfill, which sells no options
 * @param ids the ids of the options; one that is repeated counts once
 */
export function chooseOptions(
  offer: OptionOffer,
  listing: PricedListing | null,
  ids: readonly string[],
  brief: Pick<Brief, 'writer' | 'words'>,
): Choice {
  if (ids.length === 0) return { chosen: [], problem: null };
  if (!listing) return { chosen: [], problem: 'This site sells no options at the moment. Remove them.' };
  const rows = offer.bySite.get(listing.id) ?? [];
  const problems: string[] = [];
  const kept = [...new Set(ids)].flatMap((id) => {
    const row = rows.find((one) => one.id === id && isForSale(one, offer));
    if (!row) problems.push(`Option ${id} is not offered by site #${listing.id}, or no longer. Choose again.`);
    return row ? [row] : [];
  });
  const words = brief.words ?? (listing.words > 0 ? listing.words : null);
  const chosen: ChosenOption[] = [];
  for (const row of kept) {
    const problem = findProblem(row, chosen, brief, words);
    if (problem) problems.push(problem);
    else chosen.push(priceChosen(row, listing, offer, words));
  }
  return { chosen, problem: problems[0] ?? null };
}

function findProblem(
  { kind, topic, isRefused }: SiteOptionRow,
  chosen: readonly ChosenOption[],
  { writer }: Pick<Brief, 'writer'>,
  words: number | null,
): string | null {
  if (topic && isRefused) return `The site does not accept the topic ${topicNames[topic]}.`;
  if (kind !== 'topic' && chosen.some((other) => other.kind === kind)) return `Choose one option only: ${names[kind]}.`;
  if (kind !== 'writing') return null;
  if (writer !== 'seller') return 'An article by the publisher requires that the publisher writes it.';
  if (words === null)
    return `Enter the number of words, ${wordsRange.min} to ${wordsRange.max.toLocaleString('en-US')}: the article is priced by them.`;
  return null;
}

const names = { guarantee: 'guarantee', homepage: 'mention on the homepage', writing: 'article', change: 'change' };

function priceChosen(row: SiteOptionRow, listing: PricedListing, { rules }: OptionOffer, words: number | null) {
  const { id: optionId, kind, days, topic } = row;
  const counted = kind === 'writing' ? words : null;
  const price = priceOption(row, { ...listing, words: counted, rules });
  return { optionId, kind, days, topic, words: counted, ...price } satisfies ChosenOption;
}

/** Returns a chosen option as its buyer sees it. */
export const chosenOptionView = ({ optionId, kind, days, topic, words, chargedCents }: ChosenOption) => ({
  ...{ optionId, kind, chargedCents },
  ...(days && { days }),
  ...(topic && { topic }),
  ...(words && { words }),
});

/** Adds up the prices of options and the part that guarantees cost, in USD cents. */
export function sumOptions(chosen: readonly ChosenOption[]) {
  const sum = (of: (option: ChosenOption) => number) => chosen.reduce((total, option) => total + of(option), 0);
  return {
    chargedCents: sum((option) => option.chargedCents),
    sellerCents: sum((option) => option.sellerCents),
    marginCents: sum((option) => option.marginCents),
    guaranteeCents: sum((option) => (option.kind === 'guarantee' ? option.sellerCents : 0)),
  };
}
