import { groupDigits } from '@/lib/money';

/** A figure with at most two decimals; a dash for an unknown one. */
export function formatFigure(value: number | null, unit = ''): string {
  return value === null ? '–' : `${groupDigits(Number(value.toFixed(2)))}${unit}`;
}

/** The address of a site without scheme, "www." and the trailing slash. */
export function siteHost(url: string): string {
  return url.replace(/^https?:\/\/(www\.)?/, '').replace(/\/$/, '');
}

/** The id of the link that opens a site's drawer. */
export const siteLinkId = (id: number) => `site-${id}`;
