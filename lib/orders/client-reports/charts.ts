import { type AnchorKind, anchorKinds } from '@/db/enums';
import { countByKind } from '@/lib/projects/anchors/count-anchors';
import { anchorKindNames } from '@/lib/projects/anchors/kind-names';
import { readStoredPlan } from '@/lib/projects/anchors/plan';
import { getAnchorSubject } from '@/lib/projects/anchors/subject';
import type { OpenReport } from './open';
import type { HealthMonth, ReportRow } from './rows';

/** A bar of a chart. Its parts are drawn one after another. */
type ChartBar = { name: string; parts: readonly number[]; values: readonly string[] };

/** A chart of a report. The headers are of the names and of the values. */
export type ReportChart = { title: string; headers: readonly [string, ...string[]]; bars: readonly ChartBar[] };

const format = (count: number) => count.toLocaleString('en-US');
const monthName = new Intl.DateTimeFormat('en-US', { month: 'short', year: 'numeric', timeZone: 'UTC' });

/** Creates the charts of a report: the anchors of its links by kind, and the links of the project by month. */
export async function createCharts(
  report: Pick<OpenReport, 'projectId' | 'projectDomain' | 'projectKeywords'>,
  rows: readonly ReportRow[],
  health: readonly HealthMonth[],
): Promise<[anchors: ReportChart, months: ReportChart]> {
  const counts = await countKinds(report, rows);
  const total = anchorKinds.reduce((sum, kind) => sum + counts[kind], 0);
  return [
    {
      title: 'Anchors by kind',
      headers: ['Kind', 'Links', 'Share'],
      bars: anchorKinds
        .filter((kind) => counts[kind] > 0)
        .map((kind) => ({
          name: anchorKindNames[kind],
          parts: [counts[kind]],
          values: [format(counts[kind]), `${Math.round((100 * counts[kind]) / total)}%`],
        })),
    },
    {
      title: 'Links by month',
      headers: ['Month', 'Live', 'Lost'],
      bars: health.map(({ month, live, lost }) => ({
        name: monthName.format(new Date(month)),
        parts: [live, lost],
        values: [format(live), format(lost)],
      })),
    },
  ];
}

/** Counts the anchors of the links that are there. */
async function countKinds(
  { projectId, projectDomain: domain, projectKeywords: keywords }: Parameters<typeof createCharts>[0],
  rows: readonly ReportRow[],
): Promise<Record<AnchorKind, number>> {
  const { brandWords } = await readStoredPlan(projectId);
  const present = rows.filter(({ status }) => status !== 'pending' && status !== 'lost');
  const anchors = present.map(({ anchor }) => ({ anchor, isImage: false, links: 1, days90: 0 }));
  return (await countByKind(anchors, getAnchorSubject({ domain, keywords }, brandWords))).all;
}
