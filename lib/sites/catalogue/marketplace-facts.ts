import { sql } from 'drizzle-orm';
import { prepared } from '@/db/prepared';
import { rowsAsJson } from '@/db/rows-as-json';
import { selectProjectChoices } from '../../projects/queries';
import { type Taxonomy, taxonomyFields } from '../../taxonomy/queries';
import { type Preferences, preferenceFields, preferencesOf } from '../preferences/queries';
import { catalogueVersion } from './catalogue-version';

/** What a person's marketplace is made of besides its sites. */
export type MarketplaceFacts = Taxonomy & {
  /** The catalogue's: what is read of it afterwards is as new or newer. */
  version: string;
  preferences: Preferences;
  projects: { id: string; domain: string }[];
};

/** Everything that a person's marketplace needs before its sites, in one round trip. */
export async function readMarketplaceFacts(userId: string): Promise<MarketplaceFacts> {
  const [row] = await statement().execute({ userId });
  if (!row) throw new Error('The database did not tell what the marketplace is made of.');
  const { savedFilters, columns, marks, ...facts } = row;
  return { ...facts, preferences: preferencesOf({ savedFilters, columns, marks }) };
}

const person = sql.placeholder('userId');

const statement = prepared((on) =>
  on
    .select({
      ...taxonomyFields(on),
      ...preferenceFields(on, person),
      projects: rowsAsJson(selectProjectChoices(on, person)),
      version: catalogueVersion.as('version'),
    })
    .from(sql`(values (1)) as once`)
    .prepare('marketplace_facts'),
);
