import { Tabs } from '@/components/ui/tabs';
import type { Actor } from '@/lib/access/actor';
import { hasPermission } from '@/lib/access/authorize';

export const deliveriesPath = '/dashboard/features/e-invoices';
export const providersPath = `${deliveriesPath}/providers`;

/** Renders the tabs of the screens about e-invoices that the user may open; nothing for a single one. */
export function DeliveryTabs({ actor, current }: { actor: Actor; current: 'deliveries' | 'providers' }) {
  if (!hasPermission(actor, 'ManageOrders') || !hasPermission(actor, 'ManageSettings')) return null;
  return (
    <div className="mb-6">
      <Tabs
        label="E-invoice views"
        tabs={[
          { href: deliveriesPath, label: 'Deliveries', current: current === 'deliveries' },
          { href: providersPath, label: 'Providers', current: current === 'providers' },
        ]}
      />
    </div>
  );
}
