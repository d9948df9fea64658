import { sql } from 'drizzle-orm';
import type { Transaction } from '@/db/transaction';

/** Sets the domain rating of all listings of the domains to the newest measured one. */
export async function refreshSiteFigures(tx: Transaction, domains: readonly string[]): Promise<void> {
  for (const domain of domains) {
    await tx.execute(sql`
      update sites set
        dr = best.value,
        figure_sources = figure_sources || jsonb_build_object('dr', jsonb_build_object('source', best.source, 'asOf', best.as_of)),
        version = version + 1
      from (
        select value, source, as_of from domain_figures
        where domain = ${domain} and metric = 'dr' and source not in ('seller', 'staff')
        order by as_of desc, id desc limit 1
      ) as best
      where sites.domain = ${domain} and sites.deleted_at is null and sites.dr is distinct from best.value`);
  }
}
