import type { MetadataRoute } from 'next';
import { env } from '@/lib/env';
import { isFlagOn } from '@/lib/settings/feature-flags';

/** Read per request: flag and figures change while the app runs, and a build has no database. */
export const dynamic = 'force-dynamic';

/**
 * Declares what search engines may read. The pages of the portals lead them to the sign-in page, and those of link
 * passports say themselves that they are not indexed, which only a page that may be read can say.
 */
export default async function robots(): Promise<MetadataRoute.Robots> {
  const isPublic = await isFlagOn('public-catalogue');
  return {
    rules: { userAgent: '*', allow: '/', disallow: '/api/' },
    ...(isPublic && { sitemap: `${env().APP_URL}/sitemap.xml` }),
  };
}
