import { and, asc, count, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { prepared } from '@/db/prepared';
import { sites } from '@/db/schema/sites';
import { nicheProposals, niches, postTypes } from '@/db/schema/taxonomy';
import { users } from '@/db/schema/users';

export type Taxonomy = {
  /** Sorted by name. */
  niches: string[];
  /** In the order of the marketplace's tabs. */
  postTypes: string[];
};

/** Lists the names of the niches and of the post types. */
export async function getTaxonomy(): Promise<Taxonomy> {
  const [row] = await statement().execute();
  return row ?? { niches: [], postTypes: [] };
}

/** Returns both lists as SQL expressions, for use in another statement. */
export function taxonomyFields(on: Executor): { [List in keyof Taxonomy]: SQL<Taxonomy[List]> } {
  const nicheNames = on.select({ name: niches.name }).from(niches).orderBy(asc(niches.name));
  const postTypeNames = on
    .select({ name: postTypes.name })
    .from(postTypes)
    .orderBy(asc(postTypes.position), asc(postTypes.name));
  return { niches: sql<string[]>`array${nicheNames}`, postTypes: sql<string[]>`array${postTypeNames}` };
}

const statement = prepared((on) => on.select(taxonomyFields(on)).from(sql`(values (1)) as once`).prepare('taxonomy'));

/** The maximum number of proposals shown at once. */
export const maxShownProposals = 100;

export const countNicheProposals = (): Promise<number> => db().$count(nicheProposals, isNull(nicheProposals.niche));

/**
 * Lists the niches of imported sites that wait for review, with the email address of the user whose import had it first
 * and the number of sites that have it; the oldest first, up to 100.
 */
export async function listNicheProposals() {
  const rows = await db()
    .select({
      key: nicheProposals.key,
      name: nicheProposals.name,
      proposedBy: users.email,
      createdAt: nicheProposals.createdAt,
    })
    .from(nicheProposals)
    .innerJoin(users, eq(users.id, nicheProposals.proposedBy))
    .where(isNull(nicheProposals.niche))
    .orderBy(asc(nicheProposals.createdAt), asc(nicheProposals.key))
    .limit(maxShownProposals);
  if (rows.length === 0) return [];
  const names = rows.map(({ name }) => name);
  const counts = await db()
    .select({ niche: sites.niche, sites: count() })
    .from(sites)
    .where(and(inArray(sites.niche, names), isNull(sites.deletedAt)))
    .groupBy(sites.niche);
  const countOf = new Map(counts.map((row) => [row.niche, row.sites]));
  return rows.map((row) => ({ ...row, sites: countOf.get(row.name) ?? 0 }));
}
export type NicheProposal = Awaited<ReturnType<typeof listNicheProposals>>[number];
