import Link from 'next/link';
import { Timeline } from '@/components/dashboard/timeline';
import { RecordDialog } from '@/components/table/record-dialog';
import { oneParam, type SearchParams } from '@/components/table/url';
import { Card, CardHeader } from '@/components/ui/card';
import { cn } from '@/components/ui/cn';
import { DialogBody } from '@/components/ui/dialog';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import { PageHeader } from '@/components/ui/page-header';
import { threeTileGrid, tileGrid } from '@/components/ui/stat-tile';
import { TimeAgo } from '@/components/ui/time-ago';
import { onReplica } from '@/db/replicas';
import { hasPermission } from '@/lib/access/authorize';
import { requirePage } from '@/lib/auth/page-guard';
import { getGrowth, getLatestActivity, getRevenue, haveSellersEarned } from '@/lib/dashboard/admin';
import { failedMailDays, listFailedMails } from '@/lib/dashboard/attention';
import { isEmptyInstallation } from '@/lib/dashboard/setup-checklist';
import { AttentionCard, listTasks } from './_components/attention-card';
import { FigureTiles, RevenueCard } from './_components/revenue-figures';
import { loadSetup, SetupCard } from './_components/setup-card';

export const metadata = { title: 'Home' };

export default async function AdminDashboard({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requirePage('admin', 'AdminDashboard');
  const showsMails = oneParam(await searchParams, 'mails') === 'failed' && hasPermission(actor, 'ManageUsers');
  const mayReadLog = hasPermission(actor, 'ViewAuditLogs');
  const mayReadMoney = hasPermission(actor, 'ManageWallets');
  // Nothing is streamed: a section that appears later would move those below it.
  const [tasks, isEmpty, showsSellers, setup, growth, revenue, entries] = await Promise.all([
    listTasks(actor),
    isEmptyInstallation(),
    mayReadMoney && haveSellersEarned(),
    loadSetup(actor),
    onReplica(actor, getGrowth),
    mayReadMoney ? onReplica(actor, getRevenue) : null,
    mayReadLog ? getLatestActivity() : null,
  ]);
  const attention = <AttentionCard tasks={tasks} isEmpty={isEmpty} />;
  return (
    <>
      <PageHeader
        title={`Welcome, ${actor.name || actor.email}`}
        description="Marketplace performance and open tasks."
      />
      {tasks.length > 0 ? attention : null}
      <SetupCard {...setup} />
      {tasks.length > 0 ? null : attention}
      <div className={revenue ? tileGrid : threeTileGrid}>
        <FigureTiles growth={growth} revenue={revenue} />
      </div>
      <div className="mt-4 grid grid-cols-1 gap-4 has-[details[open]]:items-start xl:grid-cols-3">
        {revenue ? (
          <div className={mayReadLog ? 'xl:col-span-2' : 'xl:col-span-3'}>
            <RevenueCard revenue={revenue} showsSellers={showsSellers} />
          </div>
        ) : null}
        {entries ? (
          <div className={cn(!revenue && 'xl:col-span-3')}>
            <LatestActivity entries={entries} />
          </div>
        ) : null}
      </div>
      {showsMails ? <FailedMails /> : null}
    </>
  );
}

/** Lists recent emails that could not be sent, with recipient, subject and error. */
async function FailedMails() {
  const failed = await listFailedMails();
  return (
    <RecordDialog
      key="mails"
      title="Emails not sent"
      description={`Failed in the last ${failedMailDays} days and won’t be retried.`}
      closeHref="/dashboard"
    >
      <DialogBody>
        {failed.length === 0 ? (
          <p className="text-muted">All emails were sent.</p>
        ) : (
          <ul className="divide-y divide-line">
            {failed.map(({ id, recipient, subject, error, failedAt, attempts }) => (
              <li key={id} className="grid gap-0.5 py-3 text-sm first:pt-0 last:pb-0">
                <span className="flex flex-wrap items-baseline justify-between gap-x-3">
                  <span className="wrap-anywhere font-medium text-ink">{subject}</span>
                  {failedAt ? <TimeAgo at={failedAt} className="text-muted text-xs" /> : null}
                </span>
                <span className="wrap-anywhere text-muted">
                  To {recipient}, {attempts === 1 ? 'one attempt' : `${attempts} attempts`}
                </span>
                {error ? <span className="wrap-anywhere text-red-ink">{error}</span> : null}
              </li>
            ))}
          </ul>
        )}
      </DialogBody>
    </RecordDialog>
  );
}

/** Lists the newest audit entries. */
function LatestActivity({ entries }: { entries: Awaited<ReturnType<typeof getLatestActivity>> }) {
  return (
    <Card>
      <CardHeader
        title="Latest activity"
        actions={
          <Link
            prefetch={false}
            href="/dashboard/features/audit-logs"
            className="rounded-sm text-accent-ink text-sm hover:underline"
          >
            Audit Logs
          </Link>
        }
      />
      {entries.length === 0 ? (
        <EmptyState icon={<Icon name="rotate-ccw-clock" />} title="No activity yet">
          All changes are recorded here.
        </EmptyState>
      ) : (
        <Timeline
          items={entries.map(({ id, details, user, role, at }) => ({
            id,
            at,
            icon: role === 'System' ? <Icon name="bot" /> : <Icon name="user-round" />,
            title: details,
            detail: `${user} (${role})`,
          }))}
        />
      )}
    </Card>
  );
}
