import { type SQL, sql } from 'drizzle-orm';
import { sites } from '../../db/schema/sites';

/**
 * The values a column has among the sites that match, as a query of one column, `value`. It steps from each value to
 * the next along an index that begins with the column, so that it costs what the values cost, however many sites have
 * them.
 * @param where what that index is limited to
 */
export function distinctValues(column: typeof sites.country | typeof sites.ownerId, where: SQL): SQL {
  return sql`
    with recursive step as (
      (select ${column} as value from ${sites} where ${where} order by ${column} limit 1)
      union all
      select (select ${column} from ${sites} where ${where} and ${column} > step.value order by ${column} limit 1)
      from step where step.value is not null
    )
    select value from step where value is not null`;
}
