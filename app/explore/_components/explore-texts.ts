import type { Metadata } from 'next';
import { env } from '@/lib/env';
import { formatUsd } from '@/lib/money';
import type { NicheSummary } from '@/lib/sites/catalogue/public-summary';

/** Formats a number as "1,204 sites". */
export const formatSites = (count: number): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? 'site' : 'sites'}`;

/** Formats the prices as "$40.00 – $1,200.00", or one price. */
export const formatPrices = ({ minPriceCents, maxPriceCents }: NicheSummary): string =>
  [...new Set([minPriceCents, maxPriceCents])].map((cents) => formatUsd(cents)).join(' – ');

/** Formats the range of DR as "20 – 78", or as "–" without the metric. */
export const formatDr = ({ minDr, maxDr }: NicheSummary): string =>
  minDr === null || maxDr === null ? '–' : [...new Set([minDr, maxDr])].join(' – ');

/** The size of the Open Graph picture of all pages, opengraph-image.tsx. */
export const pictureSize = { width: 1200, height: 630 };
export const pictureAlt = 'Guest posts and link placements';

/** Returns the metadata of a page of the public catalog. */
export function exploreMetadata(title: string, description: string, path: string): Metadata {
  return {
    metadataBase: new URL(env().APP_URL),
    title,
    description,
    alternates: { canonical: path },
    openGraph: {
      ...{ type: 'website', title, description, url: path },
      // Next.js adds the picture of a folder only to the folder's own page.
      images: [{ url: '/explore/opengraph-image', alt: pictureAlt, ...pictureSize }],
    },
    twitter: { card: 'summary_large_image', title, description },
  };
}
