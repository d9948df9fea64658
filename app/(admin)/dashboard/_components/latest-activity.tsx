import { Bot, History, UserRound } from 'lucide-react';
import Link from 'next/link';
import { Timeline } from '@/components/dashboard/timeline';
import { Card, CardHeader } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { getLatestActivity } from '@/lib/dashboard/admin';

/** The newest lines of the audit log. */
export async function LatestActivity() {
  const entries = await getLatestActivity();
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
        <EmptyState icon={<History />} title="No activity yet">
          Everything people change is written down here.
        </EmptyState>
      ) : (
        <Timeline
          items={entries.map(({ id, details, user, role, at }) => ({
            id,
            at,
            icon: role === 'System' ? <Bot /> : <UserRound />,
            title: details,
            detail: `${user} (${role})`,
          }))}
        />
      )}
    </Card>
  );
}
