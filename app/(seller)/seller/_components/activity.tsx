import { CircleCheck, CircleX, Clock, History, type LucideIcon, Plus } from 'lucide-react';
import { Timeline } from '@/components/dashboard/timeline';
import { Card, CardHeader } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import type { SiteStatus } from '@/db/schema/sites';
import { getSellerActivity, type SellerEvent } from '@/lib/dashboard/seller';

const looks: Record<SiteStatus, { icon: LucideIcon; words: string }> = {
  Approved: { icon: CircleCheck, words: 'was approved' },
  Pending: { icon: Clock, words: 'went back to review' },
  Rejected: { icon: CircleX, words: 'was rejected' },
};
const added = { icon: Plus, words: 'was added' };

/** What happened to the seller's own sites (decision 22). */
export async function Activity({ ownerId }: { ownerId: string }) {
  const events = await getSellerActivity(ownerId);
  return (
    <Card>
      <CardHeader title="Recent Activity" />
      {events.length > 0 ? (
        <Timeline items={events.map(itemOf)} />
      ) : (
        <EmptyState icon={<History />} title="No activity yet">
          Sites that are added, approved or rejected show up here.
        </EmptyState>
      )}
    </Card>
  );
}

function itemOf({ id, at, siteName, status }: SellerEvent) {
  const { icon: Icon, words } = status ? looks[status] : added;
  return {
    id,
    at,
    icon: <Icon />,
    title: (
      <>
        <span className="font-medium">{siteName}</span> {words}
      </>
    ),
  };
}
