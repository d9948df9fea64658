import { asc } from 'drizzle-orm';
import { db } from '../../db/client';
import { niches, postTypes } from '../../db/schema/taxonomy';

/** The niches' names, by name. */
export async function listNiches(): Promise<string[]> {
  const rows = await db().select({ name: niches.name }).from(niches).orderBy(asc(niches.name));
  return rows.map(({ name }) => name);
}

/** The post types' names, in the order of the marketplace's tabs. */
export async function listPostTypes(): Promise<string[]> {
  const rows = await db()
    .select({ name: postTypes.name })
    .from(postTypes)
    .orderBy(asc(postTypes.position), asc(postTypes.name));
  return rows.map(({ name }) => name);
}
