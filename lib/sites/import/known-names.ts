import { and, count, eq, isNull } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { nicheProposals, niches, postTypes } from '@/db/schema/taxonomy';
import { lockPricing } from '@/lib/sites/pricing/lock-pricing';
import type { Pricing } from '@/lib/sites/pricing/price-by-rule';
import { nicheKey } from '@/lib/taxonomy/contract';
import type { FileAnalysis } from './analyze-file';
import type { ImportAudience } from './map-header';

export type RowContext = {
  analysis: FileAnalysis;
  audience: ImportAudience;
  known: KnownNames;
  pricing: Pricing;
  /** The owner of the sites. */
  userId: string;
};

/** Existing names by normalized keys, so that "seo" does not create a second niche beside "SEO". */
export type KnownNames = {
  postTypes: ReadonlyMap<string, string>;
  /** The niches of the list, the aliases of earlier imports, and the names that wait for review. The import adds its own. */
  niches: Map<string, string>;
  /** The niches that the file adds to the known ones. */
  newNiches: string[];
  /** The maximum number of them in rows that can be imported. */
  maxNewNiches: number;
};

/** The maximum number of niches of one seller that wait for review, so that no file hides those of others. */
const maxWaitingOfSeller = 20;

/** Reads the existing post types (by `postTypeKey`) and niches. */
async function readKnownNames(executor: Executor, importer: Importer): Promise<KnownNames> {
  const [types, known, [waiting]] = await Promise.all([
    executor.select({ name: postTypes.name }).from(postTypes),
    getKnownNiches(executor),
    executor
      .select({ count: count() })
      .from(nicheProposals)
      .where(and(eq(nicheProposals.proposedBy, importer.userId), isNull(nicheProposals.niche))),
  ]);
  return {
    postTypes: new Map(types.map(({ name }) => [postTypeKey(name), name])),
    niches: known,
    newNiches: [],
    maxNewNiches: importer.audience === 'staff' ? Infinity : maxWaitingOfSeller - (waiting?.count ?? 0),
  };
}

/** Reads the existing niches, by name in lower case and by `nicheKey`. */
export async function getKnownNiches(executor: Executor): Promise<KnownNames['niches']> {
  const [topics, proposals] = await Promise.all([
    executor.select({ name: niches.name }).from(niches),
    executor.select({ name: nicheProposals.name, niche: nicheProposals.niche }).from(nicheProposals),
  ]);
  return new Map([
    // The default of the column.
    [nicheKey('General'), 'General'] as const,
    ...proposals.map(({ name, niche }) => [nicheKey(name), niche ?? name] as const),
    ...topics.map(({ name }) => [nicheKey(name), name] as const),
    // The exact name prevails where the list has two spellings.
    ...topics.map(({ name }) => [name.toLowerCase(), name] as const),
  ]);
}

/** Normalizes a post type: "Guest Post", "guest-posts" and "Guestposts" are equal. */
export function postTypeKey(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace(/s$/, '');
}

/** Finds a known niche in any spelling. */
export const findNiche = (known: KnownNames['niches'], text: string): string | undefined =>
  known.get(text.toLowerCase()) ?? known.get(nicheKey(text));

/**
 * Adds a niche of a row to the known ones.
 * @returns why the row cannot be imported; null if it can
 */
export function addNiche(known: KnownNames, niche: string): string | null {
  if (findNiche(known.niches, niche) !== undefined) return null;
  if (known.newNiches.length >= known.maxNewNiches) {
    return `At most ${maxWaitingOfSeller} new niches of your imports can wait for review. Use an existing niche.`;
  }
  known.niches.set(nicheKey(niche), niche);
  known.newNiches.push(niche);
  return null;
}

/** Who imports a file. */
export type Importer = { audience: ImportAudience; userId: string };

/** Reads the data that parsing a row depends on besides the row itself. */
export async function getRowContext(
  executor: Executor,
  analysis: FileAnalysis,
  importer: Importer,
): Promise<RowContext> {
  const known = await readKnownNames(executor, importer);
  return { analysis, ...importer, known, pricing: await lockPricing(executor) };
}
