import { asc, type SQL, sql } from 'drizzle-orm';
import type { Executor } from '../../db/client';
import { prepared } from '../../db/prepared';
import { niches, postTypes } from '../../db/schema/taxonomy';

export type Taxonomy = {
  /** Sorted by name. */
  niches: string[];
  /** In the order of the marketplace's tabs. */
  postTypes: string[];
};

/** Lists the names of the niches and of the post types. */
export async function readTaxonomy(): Promise<Taxonomy> {
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
