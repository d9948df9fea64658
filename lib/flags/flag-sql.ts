import { type SQL, sql } from 'drizzle-orm';
import { settings } from '../../db/schema/settings';
import { type FlagName, flagKey } from './flags';

/** What a text of SQL answers in place of itself while the part is turned off. */
export const turnedOff = 'turned off';

/** `text`, or `turnedOff`: for a request whose round trips count, which reads both in one. */
export function unlessTurnedOff(name: FlagName, text: SQL<string>): SQL<string> {
  const off = sql`exists (select 1 from ${settings} where ${settings.key} = ${flagKey(name)} and ${settings.value} = 'false'::jsonb)`;
  return sql<string>`case when ${off} then ${turnedOff} else ${text} end`;
}
