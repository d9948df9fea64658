import type { MetadataRoute } from 'next';
import { env } from '@/lib/env';
import { isFlagOn } from '@/lib/settings/feature-flags';
import { getPublicSummary } from '@/lib/sites/catalogue/public-summary';

/** Read per request: flag and figures change while the app runs, and a build has no database. */
export const dynamic = 'force-dynamic';

/** Lists the pages for search engines: the public catalog while it is on, else none. */
export default async function sitemap(): Promise<MetadataRoute.Sitemap> {
  if (!(await isFlagOn('public-catalogue'))) return [];
  const { niches } = await getPublicSummary();
  const origin = env().APP_URL;
  return ['/explore', ...niches.map(({ slug }) => `/explore/${encodeURIComponent(slug)}`)].map((path) => ({
    url: `${origin}${path}`,
  }));
}
