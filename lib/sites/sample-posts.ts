import { AppError } from '@/lib/errors';
import { getRegistrableDomain } from '@/lib/network/registrable-domain';
import { parseSiteUrl } from './site-url';

/** The maximum number of sample posts of a site. */
const maxSamplePosts = 5;

/**
 * Parses the URLs of sample posts, separated by spaces or line breaks. Adds https:// where the scheme is missing.
 * @returns one URL a line; or what is wrong
 */
export function parseSamplePosts(typed: string): { urls: string } | { problem: string } {
  const given = typed.split(/[\s|]+/).filter((text) => text !== '');
  const urls = [...new Set(given.map(parseSiteUrl))];
  if (urls.includes(null)) return { problem: 'Use web addresses of posts, e.g. https://example.com/a-post.' };
  if (urls.length > maxSamplePosts) return { problem: `Use at most ${maxSamplePosts} sample posts.` };
  return { urls: urls.join('\n') };
}

export const listSamplePosts = (samplePosts: string): string[] => samplePosts.split('\n').filter(Boolean);

/**
 * Finds a sample post on another website than the site. Buyers follow these links, so they must not lead to a page about
 * the seller.
 */
export function findForeignSample({ url, samplePosts }: { url: string; samplePosts: string }): string | undefined {
  const domain = getRegistrableDomain(url);
  return listSamplePosts(samplePosts).find((post) => getRegistrableDomain(post) !== domain);
}

export const foreignSampleMessage = 'Use posts on the site itself.';

/** @throws AppError invalid_input for a sample post on another website */
export function requireOwnSamples(site: { url: string; samplePosts: string }): void {
  if (findForeignSample(site) === undefined) return;
  throw new AppError('invalid_input', foreignSampleMessage, { fields: { samplePosts: foreignSampleMessage } });
}
