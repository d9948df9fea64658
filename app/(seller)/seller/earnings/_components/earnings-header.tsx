import type { ReactNode } from 'react';
import { PageHeader } from '@/components/ui/page-header';
import { Tabs } from '@/components/ui/tabs';

const tabs = {
  overview: { href: '/seller/earnings', label: 'Overview' },
  statement: { href: '/seller/earnings/statement', label: 'Statement' },
  selfBilling: { href: '/seller/earnings/self-billing', label: 'Self-billing' },
} as const;

/** The heading of the pages of earnings, with the links between them. */
export function EarningsHeader({ current, actions }: { current: keyof typeof tabs; actions?: ReactNode }) {
  return (
    <>
      <PageHeader
        title="Earnings"
        description="What your placements bring, when it becomes payable, and what was paid out."
        actions={actions}
      />
      <div className="mb-4">
        <Tabs
          label="Earnings"
          tabs={Object.entries(tabs).map(([name, tab]) => ({ ...tab, current: name === current }))}
        />
      </div>
    </>
  );
}
