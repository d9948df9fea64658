import { type SQL, sql } from 'drizzle-orm';
import { type FigureMetric, measuredSources } from '@/db/enums';
import { domainFigures } from '@/db/schema/domain-figures';
import { sites } from '@/db/schema/sites';
import { type FigureClass, figureOrderInSql, measuredDays } from './figure-classes';

const textArray = (values: readonly string[]) => sql`array[${sql.raw(values.map((value) => `'${value}'`).join(', '))}]`;
const rank = (of: FigureClass) => sql`strpos(classes, ${sql.raw(`'${of}'`)})`;

/** The current day, as figures have it. */
export const today = sql`(now() at time zone 'utc')::date`;

/**
 * Selects the newest row of each group of figures. The index has the groups one after the other, with the newest row
 * first, so each step reads the first row after the group before.
 */
function selectNewest(where: SQL, group: readonly string[]): SQL {
  const [names, row] = [sql.raw(group.join(', ')), sql.raw('metric, source, value, as_of, id')];
  const first = (after: SQL) => sql`
    select ${row} from ${domainFigures} as figure where ${where} ${after} order by ${names}, as_of desc, id desc limit 1`;
  const passed = sql.raw(`and (${group.map((name) => `figure.${name}`)}) > (${group.map((name) => `newest.${name}`)})`);
  return sql`
    with recursive newest as (
      (${first(sql``)})
      union all
      select next.* from newest cross join lateral (${first(passed)}) as next
    )
    select ${row} from newest`;
}

const selectOfSeller = (known: SQL) => selectNewest(sql`figure.site_id = ${sites.id} ${known}`, ['metric']);

/**
 * Selects the best figure of each metric for a row of `sites` in scope: metric, value, source and as_of. The newest row of
 * each source counts; a source whose newest row has no value has no figure. The classes of sources rank as the setting
 * says, and within a class the newer day, then the later row. A measured figure that is older than 180 days ranks as the
 * worse of measured and staff; of equal days it stays better. The number of rows of a domain does not matter.
 * @param own selects the rows that the domain's rows are compared with, those of the listing's seller by default
 */
export const selectBestFigures = (metrics: readonly FigureMetric[], own = selectOfSeller(sql``)): SQL =>
  selectBest(metrics, { own, known: sql``, day: today });

/** Selects the best figure of each metric for a row of `sites` in scope, as it was known on a day. */
export function selectFiguresOfDay(metrics: readonly FigureMetric[], day: SQL): SQL {
  const known = sql`and figure.as_of <= ${day}`;
  return selectBest(metrics, { own: selectOfSeller(known), known, day });
}

/** @param known a further condition of the domain's rows */
const selectBest = (
  metrics: readonly FigureMetric[],
  { own, known, day }: { own: SQL; known: SQL; day: SQL },
): SQL => sql`
  select distinct on (metric) metric, value, source, as_of
  from (
    (${selectNewest(sql`figure.domain = ${sites.domain} and figure.site_id is null ${known}`, ['metric', 'source'])})
    union all
    (${own})
  ) as known
  cross join (select ${figureOrderInSql} as classes) as stored
  cross join lateral (
    select case when source = 'staff' then ${rank('staff')} when source = 'seller' then ${rank('seller')} else ${rank('measured')} end as class,
      source = any(${textArray(measuredSources)}) and as_of < ${day} - ${sql.raw(String(measuredDays))} as is_old
  ) as ranked
  where metric = any(${textArray(metrics)}) and value is not null
  order by metric, case when is_old then greatest(class, ${rank('staff')}) else class end, as_of desc, class, id desc`;
