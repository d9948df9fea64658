import { type SQL, sql } from 'drizzle-orm';
import { removeFormatCharacters } from '@/lib/network/visible-text';

/** Builds the pattern of LIKE for texts that contain a text as it would be stored, with its wildcards escaped. */
const containing = (text: string): string =>
  `%${removeFormatCharacters(text.normalize('NFC')).replace(/[\\%_]/g, '\\$&')}%`;

/**
 * Builds a condition that one of the searched columns contains a text, ignoring case.
 * @param searchText the expression of the table's trigram index, so that the index is used
 * @param spellings the text, in any of several spellings
 */
export function textContains(searchText: SQL, ...spellings: string[]): SQL {
  const [first = sql`false`, ...others] = spellings.map((text) => sql`${searchText} like lower(${containing(text)})`);
  return others.length === 0 ? first : sql`(${sql.join([first, ...others], sql` or `)})`;
}
