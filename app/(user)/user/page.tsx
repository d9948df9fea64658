import { redirect } from 'next/navigation';
import { requestsPath } from '@/components/shell/user-nav';
import { ButtonLink } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { PageHeader } from '@/components/ui/page-header';
import { tileGrid } from '@/components/ui/stat-tile';
import { onReplica } from '@/db/replicas';
import { type AccountRight, hasAccountRight } from '@/lib/access/account-roles';
import type { Actor } from '@/lib/access/actor';
import { requirePage } from '@/lib/auth/page-guard';
import { getWaitingOrders } from '@/lib/dashboard/attention';
import {
  countBuyerOrders,
  countBuyerProjects,
  countSavedFilters,
  getBuyerLayout,
  getLatestOrders,
  getLatestTransactions,
} from '@/lib/dashboard/buyer';
import { getDrSpread, getLinkFigures, listLostLinks, listNextDeliveries } from '@/lib/dashboard/buyer-figures';
import { loadOrEmpty } from '@/lib/dashboard/load-or-empty';
import { getMonthSpend } from '@/lib/dashboard/month-spend';
import { isFlagOn } from '@/lib/settings/feature-flags';
import { getSpendingMonths } from '@/lib/wallet/spending';
import { LostLinks, NextDue, RecentActivity, WaitingOrders } from './_components/activity';
import { DrSpreadCard, SpendingCard } from './_components/charts';
import { FirstSteps, QuickActions } from './_components/first-steps';
import { MonthSpendCards } from './_components/month-spend';
import { MonthTiles, SummaryTiles, type Tool, ToolsTile } from './_components/tiles';

export const metadata = { title: 'Dashboard' };

export default async function UserDashboard() {
  const actor = await requirePage('user', 'session');
  // The home of a client, who sees no money of the account.
  if (actor.accountRole === 'client') redirect(requestsPath);
  const has = (right: AccountRight) => hasAccountRight(actor.accountRole, right);
  const { name, email } = actor;
  const hasOrders = has('account:orders');
  // Nothing is streamed: a section that appears later would move those below it.
  const [
    marketplace,
    packages,
    tools,
    balanceCents,
    projects,
    orders,
    latestOrders,
    latestTransactions,
    waiting,
    spend,
  ] = await Promise.all([
    isFlagOn('marketplace'),
    isFlagOn('packages'),
    listTools(actor.userId),
    loadOrEmpty(
      'wallet balance',
      getBuyerLayout(actor).then((frame) => (actor.viewing ? null : frame.balanceCents)),
      null,
    ),
    loadOrEmpty('projects', countBuyerProjects(actor), null),
    loadOrEmpty(
      'orders',
      onReplica(actor, (on) => countBuyerOrders(actor, on)),
      null,
    ),
    hasOrders
      ? loadOrEmpty(
          'latest orders',
          onReplica(actor, (on) => getLatestOrders(actor, on)),
          [],
        )
      : [],
    loadOrEmpty('latest transactions', getLatestTransactions(actor), []),
    hasOrders ? loadOrEmpty('waiting orders', getWaitingOrders(actor), null) : null,
    loadOrEmpty('spending of the month', loadMonthSpend(actor), null),
  ]);
  const open = { marketplace, packages };
  const figures = orders?.all.total === 0 ? null : await loadFigures(actor);
  return (
    <>
      <PageHeader
        title={`Welcome, ${name || email.split('@')[0]}`}
        description="Your projects, orders and wallet at a glance."
        actions={
          open.marketplace && hasOrders ? (
            <ButtonLink href="/user/marketplace">Browse the marketplace</ButtonLink>
          ) : null
        }
      />
      {hasOrders && has('account:wallet') ? (
        <FirstSteps projects={projects} orders={orders} transactions={latestTransactions} open={open} />
      ) : null}
      {waiting ? <WaitingOrders waiting={waiting} /> : null}
      <div className={tileGrid}>
        <SummaryTiles {...{ projects, orders, balanceCents, has }} />
        <ToolsTile tools={tools} has={has} />
      </div>
      {figures ? (
        <div className="mt-4 grid gap-4">
          <MonthTiles spending={figures.months?.at(-1) ?? null} links={figures.links} has={has} />
          <div className="grid gap-4 has-[details[open]]:items-start xl:grid-cols-2 xl:[&>:only-child]:col-span-2">
            {figures.months ? <SpendingCard months={figures.months} /> : null}
            {figures.spread ? <DrSpreadCard spread={figures.spread} /> : null}
          </div>
        </div>
      ) : null}
      {spend ? <MonthSpendCards {...spend} /> : null}
      <div className="mt-4 grid items-start gap-4 lg:grid-cols-3">
        <div className="lg:col-span-2">
          <RecentActivity orders={latestOrders} transactions={latestTransactions} has={has} />
        </div>
        <div className="grid gap-4">
          {figures ? (
            <>
              <NextDue deliveries={figures.deliveries} />
              <LostLinks links={figures.lostLinks} />
            </>
          ) : null}
          <QuickActions open={open} has={has} seesAll={actor.projectIds === null} />
          <KeywordTip />
        </div>
      </div>
    </>
  );
}

/** Loads the spending of an account with limits, which a view by staff does not show. */
async function loadMonthSpend(actor: Actor) {
  return actor.viewing || !(await getBuyerLayout(actor)).isLimited ? null : getMonthSpend(actor);
}

/** Loads the figures of an account with orders: those of the money, and those of the orders. A part that fails is null or empty. */
async function loadFigures(actor: Actor) {
  const hasOrders = hasAccountRight(actor.accountRole, 'account:orders');
  const [months, links, spread, deliveries, lostLinks] = await Promise.all([
    mayViewSpending(actor) ? loadOrEmpty('spending', getSpendingMonths(actor.accountId), null) : null,
    hasOrders
      ? loadOrEmpty(
          'figures of links',
          onReplica(actor, (on) => getLinkFigures(actor, on)),
          null,
        )
      : null,
    hasOrders
      ? loadOrEmpty(
          'spread of the DR',
          onReplica(actor, (on) => getDrSpread(actor, on)),
          null,
        )
      : null,
    hasOrders
      ? loadOrEmpty(
          'next deliveries',
          onReplica(actor, (on) => listNextDeliveries(actor, undefined, on)),
          [],
        )
      : [],
    hasOrders
      ? loadOrEmpty(
          'lost links',
          onReplica(actor, (on) => listLostLinks(actor, undefined, on)),
          [],
        )
      : [],
  ]);
  return { months, links, spread, deliveries, lostLinks };
}

/** A view by staff has no spending, and a member who sees certain projects not that of the others. */
const mayViewSpending = ({ viewing, accountRole, projectIds }: Actor) =>
  !viewing && projectIds === null && hasAccountRight(accountRole, 'account:balance');

/** Lists the buyer's tools that are turned on. */
async function listTools(userId: string): Promise<Tool[]> {
  const [savedFilters, marketplace, webhooks] = await Promise.all([
    loadOrEmpty('saved filters', countSavedFilters(userId), 0),
    isFlagOn('marketplace'),
    isFlagOn('webhooks'),
  ]);
  const orders = { right: 'account:orders' } as const;
  const filters = { label: `Saved filters (${savedFilters.toLocaleString('en-US')})`, href: '/user/marketplace' };
  return [
    ...(marketplace && savedFilters > 0 ? [{ ...filters, ...orders }] : []),
    { label: 'Client reports', href: '/user/projects', ...orders },
    ...(webhooks ? [{ label: 'Webhooks', href: '/user/webhooks', right: 'account:programs' as const }] : []),
    { label: 'API guide', href: '/developers' },
  ];
}

function KeywordTip() {
  return (
    <aside
      aria-label="Tip"
      className="flex gap-3 rounded-lg border border-accent-line bg-accent-soft px-4 py-3 sm:px-5"
    >
      <Icon name="lightbulb" className="mt-0.5 text-accent-ink" />
      <p className="text-ink">
        <span className="font-medium">Tip:</span> 3 to 5 keywords per project work best. They keep your links on topic
        and leave writers room for natural text.
      </p>
    </aside>
  );
}
