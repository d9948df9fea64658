import { BarChart } from '@/components/dashboard/bar-chart';
import { ChartTable } from '@/components/dashboard/chart-table';
import { Badge } from '@/components/ui/badge';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import { type AnchorKind, anchorKinds } from '@/db/enums';
import type { Actor } from '@/lib/access/actor';
import type { ProposedAnchor } from '@/lib/projects/anchors/choose-anchors';
import type { AnchorPlanView } from '@/lib/projects/anchors/contract';
import { countAll } from '@/lib/projects/anchors/count-anchors';
import { anchorKindNames } from '@/lib/projects/anchors/kind-names';
import { getAnchorPlan } from '@/lib/projects/anchors/plan';
import { proposeAnchors } from '@/lib/projects/anchors/propose';
import { getAnchorSubject } from '@/lib/projects/anchors/subject';
import type { ProjectView } from '@/lib/projects/contract';
import { AnchorPlanForm } from './anchor-plan-form';

const shownProposals = 10;

/** Renders the anchor plan of a project beside its anchors, and what is proposed next. */
export async function AnchorsTab({ actor, project }: { actor: Actor; project: ProjectView }) {
  const [{ actual, pool, ...stored }, proposed] = await Promise.all([
    getAnchorPlan(actor, project.id),
    proposeAnchors(actor, project.id, shownProposals),
  ]);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <ShareCard plan={stored.plan} actual={actual} />
      <ProposalsCard proposed={proposed} />
      {actor.viewing ? null : (
        <div className="lg:col-span-2">
          <AnchorPlanForm
            projectId={project.id}
            stored={{ ...stored, pool: pool.map(({ text }) => text) }}
            subject={getAnchorSubject(project, [])}
          />
        </div>
      )}
    </div>
  );
}

const percentOf = (part: number, total: number) => (total === 0 ? 0 : Math.round((100 * part) / total));

/** Shows the planned and the actual share of each kind, as a chart and a table. */
function ShareCard({ plan, actual: { all, days90 } }: Pick<AnchorPlanView, 'plan' | 'actual'>) {
  const [total, recent] = [countAll(all), countAll(days90)];
  const rows = anchorKinds.map((kind) => ({
    kind,
    name: anchorKindNames[kind],
    plan: plan[kind],
    all: percentOf(all[kind], total),
    recent: percentOf(days90[kind], recent),
  }));
  const inWords = rows.map((row) => `${row.name} ${row.all}% of ${row.plan}%`).join(', ');
  const count = (links: number, percent: number) => `${links.toLocaleString('en-US')} · ${percent}%`;
  return (
    <Card>
      <CardHeader
        title="Plan and anchors"
        description={`${total.toLocaleString('en-US')} links, ${recent.toLocaleString('en-US')} of them new in the last 90 days: own orders and imported links`}
      />
      <CardBody>
        <BarChart
          bars={rows.map((row) => ({ key: row.kind, label: row.name, amounts: [row.plan, row.all, row.recent] }))}
          series={[
            { name: 'Plan', className: 'fill-subtle' },
            { name: 'All links' },
            { name: 'Last 90 days', className: 'fill-green' },
          ]}
          unit="percent"
          label={`Anchors by kind, actual of planned: ${inWords}.`}
        />
        <ChartTable<(typeof rows)[number]>
          caption="Anchors by kind"
          rowHeader="Kind"
          rowName={({ name }) => name}
          rowKey={({ kind }) => kind}
          columns={[
            ['Plan', (row) => `${row.plan}%`],
            ['All links', (row) => count(all[row.kind], row.all)],
            ['Last 90 days', (row) => count(days90[row.kind], row.recent)],
          ]}
          rows={rows}
        />
      </CardBody>
    </Card>
  );
}

const withoutText: Partial<Record<AnchorKind, string>> = { image: 'A linked image', none: 'Without text' };

/** Lists the anchors that are proposed next. */
function ProposalsCard({ proposed }: { proposed: readonly ProposedAnchor[] }) {
  return (
    <Card>
      <CardHeader title="Next proposals" description="For the next links, with those in the cart counted" />
      {proposed.length > 0 ? (
        <ol className="text-sm">
          {proposed.map(({ text, kind }, index) => (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: the order is their only identity.
              key={index}
              className="flex items-center justify-between gap-3 border-line border-b px-4 py-2 last:border-b-0 sm:px-5"
            >
              <span className={`min-w-0 wrap-anywhere ${text ? 'text-ink' : 'text-muted'}`}>
                {text || withoutText[kind]}
              </span>
              <Badge className="shrink-0">{anchorKindNames[kind]}</Badge>
            </li>
          ))}
        </ol>
      ) : (
        <EmptyState icon={<Icon name="anchor" />} title="No texts to propose">
          The plan wants only kinds without texts. Add texts to propose below.
        </EmptyState>
      )}
    </Card>
  );
}
