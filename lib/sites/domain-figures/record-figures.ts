import { and, desc, eq, isNull } from 'drizzle-orm';
import type { FigureMetric, FigureSource } from '@/db/enums';
import { domainFigures } from '@/db/schema/domain-figures';
import type { Transaction } from '@/db/transaction';

type FigureRow = {
  domain: string;
  metric: FigureMetric;
  value: number | null;
  source: FigureSource;
  asOf: string;
  siteId?: number;
};

/** Appends figures. A row equal to the newest one of its domain, metric, source and listing is skipped. */
export async function recordFigures(tx: Transaction, rows: readonly FigureRow[]): Promise<void> {
  for (const row of rows) {
    const { domain, metric, source, siteId } = domainFigures;
    const [newest] = await tx
      .select()
      .from(domainFigures)
      .where(
        and(
          eq(domain, row.domain),
          eq(metric, row.metric),
          eq(source, row.source),
          row.siteId === undefined ? isNull(siteId) : eq(siteId, row.siteId),
        ),
      )
      .orderBy(desc(domainFigures.asOf), desc(domainFigures.id))
      .limit(1);
    if (newest?.value !== row.value || newest.asOf !== row.asOf) await tx.insert(domainFigures).values(row);
  }
}
