import type { Executor } from '../../../db/client';
import { niches, postTypes } from '../../../db/schema/taxonomy';
import { lockAndGetExchangeRates } from '../../settings/rates/exchange-rates';
import type { FileAnalysis } from './analyze-file';
import type { ImportAudience } from './map-header';
import type { RowContext } from './parse-row';

/** Existing names by a case-insensitive key, so that "seo" does not create a second niche beside "SEO". */
export type KnownNames = {
  postTypes: ReadonlyMap<string, string>;
  /** The import adds its new niches. */
  niches: Map<string, string>;
};

/** Reads the existing post types (by `postTypeKey`) and niches (by `nicheKey`). */
async function readKnownNames(executor: Executor): Promise<KnownNames> {
  const [types, topics] = await Promise.all([
    executor.select({ name: postTypes.name }).from(postTypes),
    executor.select({ name: niches.name }).from(niches),
  ]);
  const byKey = (rows: { name: string }[], key: (name: string) => string) =>
    new Map(rows.map(({ name }) => [key(name), name]));
  return { postTypes: byKey(types, postTypeKey), niches: byKey(topics, nicheKey) };
}

/** Normalizes a post type: "Guest Post", "guest-posts" and "Guestposts" are equal. */
export function postTypeKey(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace(/s$/, '');
}

export function nicheKey(name: string): string {
  return name.toLowerCase();
}

/** Reads the data that parsing a row depends on besides the row itself. */
export async function readRowContext(
  executor: Executor,
  analysis: FileAnalysis,
  audience: ImportAudience,
): Promise<RowContext> {
  return { analysis, audience, known: await readKnownNames(executor), rates: await lockAndGetExchangeRates(executor) };
}
