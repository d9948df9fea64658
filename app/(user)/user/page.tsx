import { Lightbulb } from 'lucide-react';
import { Suspense } from 'react';
import { CardSkeleton, TileSkeletons } from '@/components/dashboard/card-skeleton';
import { tileGrid } from '@/components/dashboard/tile-grid';
import { ButtonLink } from '@/components/ui/button-link';
import { PageHeader } from '@/components/ui/page-header';
import { requirePage } from '@/lib/auth/page-guard';
import { getWaitingOrders } from '@/lib/dashboard/attention';
import {
  countBuyerOrders,
  countBuyerProjects,
  countSavedFilters,
  getLatestOrders,
  getLatestTransactions,
  readBuyerLayout,
} from '@/lib/dashboard/buyer';
import { loadOrEmpty } from '@/lib/dashboard/load-or-empty';
import { isFlagOn } from '@/lib/settings/feature-flags/read-flags';
import { FirstSteps } from './_components/first-steps';
import { QuickActions } from './_components/quick-actions';
import { RecentActivity } from './_components/recent-activity';
import { SummaryTiles } from './_components/summary-tiles';
import { WaitingOrders } from './_components/waiting-orders';
import { hasRooms } from './orders/_components/has-rooms';

export const metadata = { title: 'Dashboard' };

export default async function UserDashboard() {
  const actor = await requirePage('user', 'session');
  const { userId, name, email } = actor;
  const projects = loadOrEmpty('projects', countBuyerProjects(userId), null);
  const orders = loadOrEmpty('orders', countBuyerOrders(userId), null);
  const balanceCents = loadOrEmpty(
    'wallet balance',
    readBuyerLayout(actor).then((frame) => frame.balanceCents),
    null,
  );
  const savedFilters = loadOrEmpty('saved filters', countSavedFilters(userId), null);
  const latestOrders = loadOrEmpty('latest orders', getLatestOrders(userId), []);
  const latestTransactions = loadOrEmpty('latest transactions', getLatestTransactions(actor), []);
  const waiting = loadOrEmpty(
    'waiting orders',
    hasRooms().then((isLinked) => (isLinked ? getWaitingOrders(userId) : null)),
    null,
  );
  const [marketplace, packages] = await Promise.all([isFlagOn('marketplace'), isFlagOn('packages')]);
  const open = { marketplace, packages };
  return (
    <>
      <PageHeader
        title={`Welcome, ${name || email.split('@')[0]}`}
        description="Your projects, orders and wallet at a glance."
        actions={open.marketplace ? <ButtonLink href="/user/marketplace">Browse the marketplace</ButtonLink> : null}
      />
      <Suspense>
        <FirstSteps projects={projects} orders={orders} transactions={latestTransactions} open={open} />
      </Suspense>
      <Suspense>
        <WaitingOrders waiting={waiting} />
      </Suspense>
      <div className={tileGrid}>
        <Suspense fallback={<TileSkeletons count={4} />}>
          <SummaryTiles projects={projects} orders={orders} balanceCents={balanceCents} savedFilters={savedFilters} />
        </Suspense>
      </div>
      <div className="mt-4 grid items-start gap-4 lg:grid-cols-3">
        <div className="lg:col-span-2">
          <Suspense fallback={<CardSkeleton label="Loading recent activity" />}>
            <RecentActivity orders={latestOrders} transactions={latestTransactions} />
          </Suspense>
        </div>
        <div className="grid gap-4">
          <QuickActions open={open} />
          <KeywordTip />
        </div>
      </div>
    </>
  );
}

function KeywordTip() {
  return (
    <aside
      aria-label="Tip"
      className="flex gap-3 rounded-lg border border-accent-line bg-accent-soft px-4 py-3 sm:px-5"
    >
      <Lightbulb className="mt-0.5 size-4 text-accent-ink" />
      <p className="text-ink">
        <span className="font-medium">Tip:</span> 3 to 5 keywords per project work best. They keep your links on topic
        and leave writers room for natural text.
      </p>
    </aside>
  );
}
