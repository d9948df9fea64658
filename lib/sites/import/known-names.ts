import type { Executor } from '../../../db/client';
import { niches, postTypes } from '../../../db/schema/taxonomy';
import { lockAndGetExchangeRates } from '../../settings/rates/exchange-rates';
import type { ImportAudience } from './map-header';
import type { RowContext } from './read-row';
import type { Survey } from './survey';

/** Finds names of a list however they are capitalised, so that "seo" does not become a second "SEO". */
export type KnownNames = {
  postTypes: ReadonlyMap<string, string>;
  /** Grows by the new ones of an import. */
  niches: Map<string, string>;
};

/** The post types and niches there are, by `nameKey`. */
async function readKnownNames(executor: Executor): Promise<KnownNames> {
  const [types, topics] = await Promise.all([
    executor.select({ name: postTypes.name }).from(postTypes),
    executor.select({ name: niches.name }).from(niches),
  ]);
  const byKey = (rows: { name: string }[], key: (name: string) => string) =>
    new Map(rows.map(({ name }) => [key(name), name]));
  return { postTypes: byKey(types, postTypeKey), niches: byKey(topics, nicheKey) };
}

/** "Guest Post", "guest-posts" and "Guestposts" are one. */
export function postTypeKey(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace(/s$/, '');
}

export function nicheKey(name: string): string {
  return name.toLowerCase();
}

/** Everything besides the row itself that decides how a row is read. */
export async function readRowContext(
  executor: Executor,
  survey: Survey,
  audience: ImportAudience,
): Promise<RowContext> {
  return { survey, audience, known: await readKnownNames(executor), rates: await lockAndGetExchangeRates(executor) };
}
