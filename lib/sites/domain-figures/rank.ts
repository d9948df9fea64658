import { type SQL, sql } from 'drizzle-orm';
import { type FigureMetric, figureSources, measuredSources } from '@/db/enums';
import { domainFigures } from '@/db/schema/domain-figures';
import { sites } from '@/db/schema/sites';
import { type FigureClass, figureOrderInSql, measuredDays } from './figure-order';

const textArray = (values: readonly string[]) => sql`array[${sql.raw(values.map((value) => `'${value}'`).join(', '))}]`;
const sourcesOfDomains = figureSources.filter((source) => source !== 'seller');
const rank = (of: FigureClass) => sql`strpos(classes, ${sql.raw(`'${of}'`)})`;

/** The current day, as figures have it. */
export const today = sql`(now() at time zone 'utc')::date`;

/**
 * Selects the best figure of each metric for a row of `sites` in scope: metric, value (null: removed by a person), source
 * and as_of. The newest row of each source counts; the classes of sources rank as the setting says, and within a class
 * the newer day, then the later row. A measured figure that is older than 180 days ranks as the worse of measured and
 * staff; of equal days it stays better. Reads one row of the index for each metric and source, so the number of rows of a
 * domain does not matter.
 */
export const selectBestFigures = (metrics: readonly FigureMetric[]): SQL => sql`
  select distinct on (metric) metric, value, source, as_of
  from (
    select metric, source, newest.value, newest.as_of, newest.id
    from unnest(${textArray(metrics)}) as metric
    cross join unnest(${textArray(sourcesOfDomains)}) as source
    cross join lateral (
      select figure.value, figure.as_of, figure.id from ${domainFigures} as figure
      where figure.domain = ${sites.domain} and figure.site_id is null and figure.metric = metric.metric and figure.source = source.source
      order by figure.as_of desc, figure.id desc limit 1
    ) as newest
    union all
    select metric, 'seller', newest.value, newest.as_of, newest.id
    from unnest(${textArray(metrics)}) as metric
    cross join lateral (
      select figure.value, figure.as_of, figure.id from ${domainFigures} as figure
      where figure.site_id = ${sites.id} and figure.metric = metric.metric
      order by figure.as_of desc, figure.id desc limit 1
    ) as newest
  ) as known
  cross join (select ${figureOrderInSql} as classes) as stored
  cross join lateral (
    select case when source = 'staff' then ${rank('staff')} when source = 'seller' then ${rank('seller')} else ${rank('measured')} end as class,
      source = any(${textArray(measuredSources)}) and as_of < ${today} - ${sql.raw(String(measuredDays))} as is_old
  ) as ranked
  order by metric, case when is_old then greatest(class, ${rank('staff')}) else class end, as_of desc, class, id desc`;
