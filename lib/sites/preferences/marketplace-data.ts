import { sql } from 'drizzle-orm';
import { prepared } from '@/db/prepared';
import { rowsAsJson } from '@/db/rows-as-json';
import { type ProjectChoiceRow, selectProjectChoices } from '@/lib/projects/queries';
import { catalogueVersion } from '@/lib/sites/catalogue/catalogue-version';
import { type Taxonomy, taxonomyFields } from '@/lib/taxonomy/queries';
import { buildPreferences, type Preferences, selectPreferences } from './queries';

/** The data of a user's marketplace page, except its sites. */
export type MarketplaceData = Taxonomy & {
  /** The catalogue's version. Data read after it is at this version or a newer one. */
  version: string;
  preferences: Preferences;
  projects: ProjectChoiceRow[];
};

/** Reads everything that a user's marketplace page needs before its sites, in one round trip. */
export async function readMarketplaceData(userId: string): Promise<MarketplaceData> {
  const [row] = await statement().execute({ userId });
  if (!row) throw new Error('The query for the marketplace returned no row.');
  const { savedFilters, columns, marks, ...facts } = row;
  return { ...facts, preferences: buildPreferences({ savedFilters, columns, marks }) };
}

const userIdPlaceholder = sql.placeholder('userId');

const statement = prepared((on) =>
  on
    .select({
      ...taxonomyFields(on),
      ...selectPreferences(on, userIdPlaceholder),
      projects: rowsAsJson(selectProjectChoices(on, userIdPlaceholder)),
      version: catalogueVersion.as('version'),
    })
    .from(sql`(values (1)) as once`)
    .prepare('marketplace_facts'),
);
