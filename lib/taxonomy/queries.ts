import { asc } from 'drizzle-orm';
import { prepared } from '../../db/prepared';
import { niches, postTypes } from '../../db/schema/taxonomy';

/** The niches' names, by name. */
export async function listNiches(): Promise<string[]> {
  const rows = await nicheNames().execute();
  return rows.map(({ name }) => name);
}

/** The post types' names, in the order of the marketplace's tabs. */
export async function listPostTypes(): Promise<string[]> {
  const rows = await postTypeNames().execute();
  return rows.map(({ name }) => name);
}

const nicheNames = prepared((on) =>
  on.select({ name: niches.name }).from(niches).orderBy(asc(niches.name)).prepare('niches'),
);

const postTypeNames = prepared((on) =>
  on
    .select({ name: postTypes.name })
    .from(postTypes)
    .orderBy(asc(postTypes.position), asc(postTypes.name))
    .prepare('post_types'),
);
