import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Executor } from '@/db/client';
import type { FigureMetric, FigureSource } from '@/db/enums';
import { domainFigures } from '@/db/schema/domain-figures';

export type FigureRow = {
  domain: string;
  metric: FigureMetric;
  /** Null for a figure that a person removed. */
  value: number | null;
  source: FigureSource;
  /** YYYY-MM-DD. */
  asOf: string;
  /** Only for figures of a seller: the listing. */
  siteId?: number;
};

const counted = z.tuple([z.object({ count: z.number() })]);

/**
 * Appends figures of domains. A row is skipped if the newest one of its domain, metric, source, listing and day has the
 * same value, so recording the same figures again changes nothing. The caller refreshes the listings
 * (`refreshSiteFigures`).
 * @returns the number of rows appended
 */
export async function recordFigures(tx: Executor, rows: readonly FigureRow[]): Promise<number> {
  if (rows.length === 0) return 0;
  const fields = rows.map(({ domain, metric, value, source, asOf: as_of, siteId: site_id = null }) => {
    return { domain, metric, value, source, as_of, site_id };
  });
  const columns = sql.raw('domain, metric, value, source, as_of, site_id');
  const result = await tx.execute(sql`
    with appended as (
      insert into ${domainFigures} (${columns})
      select ${columns}
      from jsonb_to_recordset(${JSON.stringify(fields)}::text::jsonb)
        as given (domain text, metric text, value double precision, source text, as_of date, site_id integer)
      where not exists (
        select from (
          select figure.value from ${domainFigures} as figure
          where given.site_id is null and figure.site_id is null and figure.domain = given.domain
            and figure.metric = given.metric and figure.source = given.source and figure.as_of = given.as_of
          order by figure.id desc limit 1
        ) as newest where newest.value is not distinct from given.value
      ) and not exists (
        select from (
          select figure.value from ${domainFigures} as figure
          where figure.site_id = given.site_id and figure.metric = given.metric and figure.as_of = given.as_of
          order by figure.id desc limit 1
        ) as newest where newest.value is not distinct from given.value
      )
      returning 1
    )
    select count(*)::integer as count from appended`);
  return counted.parse([...result])[0].count;
}
