import type { Executor } from '@/db/client';
import type { FigureMetric, MeasuredSource } from '@/db/enums';
import type { sites } from '@/db/schema/sites';
import { type FigureRow, recordFigures } from '@/lib/sites/domain-figures/record';
import { refreshSiteFigures } from '@/lib/sites/domain-figures/refresh';
import { splitFigures, toFigureRows } from '@/lib/sites/domain-figures/typed-figures';
import { daysBefore } from './days';

type SeededSite = typeof sites.$inferSelect;

/** The ages of Ahrefs' figures, in days; the last one is old, so a newer figure of staff replaces it. */
const ahrefsAges = [1, 4, 12, 48, 110, 200];
const cruxBuckets = [1_000, 5_000, 10_000, 50_000, 100_000, 500_000, 1_000_000, 5_000_000];

/** Records the typed figures of the seeded sites, and measured ones for a part of their domains. */
export async function seedFigures(tx: Executor, seeded: readonly SeededSite[], now: Date): Promise<void> {
  const typed = seeded.flatMap((site) => {
    const first = Object.values(site.figureSources)[0];
    const source = first?.source === 'staff' ? 'staff' : 'seller';
    return toFigureRows(site, splitFigures(site).figures, source, first?.asOf);
  });
  const domains = new Map(seeded.map((site) => [site.domain, site]));
  const measured = [...domains.values()].flatMap((site, index) => measureDomain(site, index, now));
  await recordFigures(tx, [...typed, ...measured]);
  await refreshSiteFigures(tx, [...domains.keys()]);
}

/** Generates what the open lists and Ahrefs know of a domain, near to what was typed. By index, without a random draw. */
function measureDomain(site: SeededSite, index: number, now: Date): FigureRow[] {
  const { domain, dr, traffic, refDomains } = site;
  if (dr === null || index % 5 === 4) return [];
  const row = (metric: FigureMetric, source: MeasuredSource, value: number, days: number): FigureRow => ({
    ...{ domain, metric, source, value },
    asOf: daysBefore(now, days).toISOString().slice(0, 10),
  });
  const rank = Math.round(10 ** (7.4 - dr / 25)) + index;
  const rows: FigureRow[] = [];
  if (index % 5 < 2) {
    const rating = Math.min(98, Math.max(1, dr - 4 + (index % 9)));
    rows.push(row('dr', 'ahrefs', rating, ahrefsAges[index % ahrefsAges.length] ?? 1));
  }
  const bucket = cruxBuckets.find((size) => size * (traffic ?? 0) >= 4e9);
  if (bucket && index % 3 > 0) rows.push(row('crux_rank', 'crux', bucket, 35));
  if (index % 2 === 0) rows.push(row('cc_rank', 'common_crawl', rank, 60));
  if (dr >= 45) {
    rows.push(row('majestic_rank', 'majestic', Math.ceil(rank / 3), 2));
    rows.push(row('ref_subnets', 'majestic', Math.ceil((refDomains ?? 100) * 0.7), 2));
  }
  return rows;
}
