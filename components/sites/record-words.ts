import { countOf } from '@/components/ui/format';
import type { FulfilmentRecord } from '@/lib/sites/responses';

/** The number of orders, and of links, from which on their figures are shown (lib/sites/record/compute.ts). */
const shownFrom = 5;

/** What "New" means, where there is no record. */
export const newMeaning = `Fewer than ${shownFrom} orders in the last 12 months.`;

/** Where the figures of a record come from. */
export const recordSource = 'From this marketplace’s own orders and link checks, last 12 months.';

/** What reliability measures. */
export const reliabilityMeaning =
  'Reliability combines delivery in time with links that stay live for 90 days. It is a cautious estimate that rises with the number of orders.';

export const formatNumber = (value: number): string => value.toLocaleString('en-US');

/** Formats a share from 0 to 1 in whole percent. Only all is 100%, and only none is 0%. */
export function formatShare(share: number): string {
  const percent = Math.round(share * 100);
  if (share > 0 && share < 1) return `${Math.min(99, Math.max(1, percent))}%`;
  return `${percent}%`;
}

/** Formats days with at most one decimal: "1 day", "4.5 days". */
export function formatMedian(days: number): string {
  if (days < 0.1) return 'less than 0.1 days';
  const text = days.toLocaleString('en-US', { maximumFractionDigits: 1 });
  return `${text} ${text === '1' ? 'day' : 'days'}`;
}

/** Formats the revisions of an order: with one decimal, and two below 0.1. */
export const formatPerOrder = (value: number): string =>
  value.toLocaleString('en-US', { maximumFractionDigits: value < 0.1 ? 2 : 1 });

/** The days after which links are counted, the most telling first. */
const aliveDays = ['90', '30', '365'] as const;

/** Describes how many links stay: "97% of 64 links alive after 90 days", a line for each number of days that is known. */
function describeAlive(alive: FulfilmentRecord['alive']): string[] {
  return aliveDays.flatMap((days) => {
    const known = alive[days];
    return known ? [`${formatShare(known.share)} of ${countOf(known.links, 'link')} alive after ${days} days`] : [];
  });
}

/** Formats the links that stay in the cell of a table: "97% of 64". */
export const formatAliveOf = (alive: FulfilmentRecord['alive']['90']): string =>
  alive ? `${formatShare(alive.share)} of ${formatNumber(alive.links)}` : '–';

/**
 * Describes a record in words, each figure with the number that it is of.
 * @param accepted the number of accepted orders; without it, those that were accepted in time, which are the same except
 *   for answers in the minute in which an offer expires
 */
export function describeRecord(record: FulfilmentRecord, accepted?: number): [name: string, lines: string[]][] {
  const { orders, acceptedInTime, deliveredInTime, medianDays, revisionsPerOrder, disputesLost, alive } = record;
  const links = describeAlive(alive);
  const taken = accepted ?? Math.round(acceptedInTime * orders);
  const ofTaken =
    accepted === undefined && taken < shownFrom ? 'the accepted orders' : countOf(taken, 'accepted order');
  const revisions = formatPerOrder(revisionsPerOrder);
  return [
    ['Links', links.length > 0 ? links : [`Fewer than ${shownFrom} links are old enough to tell`]],
    ['Delivered in time', [accepted === 0 ? 'No accepted orders' : `${formatShare(deliveredInTime)} of ${ofTaken}`]],
    ['Accepted in time', [`${formatShare(acceptedInTime)} of ${countOf(orders, 'order')}`]],
    [
      'Time to delivery',
      [medianDays === null ? 'No deliveries yet' : `Median ${formatMedian(medianDays)} to delivery`],
    ],
    ['Revisions', [`${revisions} ${revisions === '1' ? 'revision' : 'revisions'} per order`]],
    ['Disputes lost', [formatNumber(disputesLost)]],
  ];
}
