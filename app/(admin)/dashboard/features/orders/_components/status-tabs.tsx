import { formatCount } from '@/components/ui/format';
import { Tabs } from '@/components/ui/tabs';
import type { CappedCount } from '@/db/count-up-to';
import { type OrderStatus, orderStatuses } from '@/db/schema/orders';

type StatusTabsProps = {
  /** The status of the list; undefined for all orders. */
  current: OrderStatus | undefined;
  /** The number of orders of each status; null while other filters are set, which only the list is counted with. */
  counts: ReadonlyMap<OrderStatus, CappedCount> | null;
  /** The number of orders in the list. */
  shown: CappedCount;
  /** Returns the URL of the list of a status, null for all. */
  hrefOf: (status: OrderStatus | null) => string;
};

/** The staff's queue by status. On phones the filter of the toolbar takes its place. */
export function StatusTabs({ current, counts, shown, hrefOf }: StatusTabsProps) {
  const tab = (status: OrderStatus | null, label: string, count: CappedCount | undefined) => {
    const isCurrent = (current ?? null) === status;
    const found = isCurrent ? shown : count;
    return { href: hrefOf(status), label, current: isCurrent, count: found && formatCount(found) };
  };
  return (
    <div className="mb-4 max-md:hidden">
      <Tabs
        label="Orders by status"
        tabs={[
          tab(null, 'All', counts ? addUp([...counts.values()]) : undefined),
          ...orderStatuses.map((status) => tab(status, status, counts?.get(status))),
        ]}
      />
    </div>
  );
}

const addUp = (counts: CappedCount[]): CappedCount => ({
  total: counts.reduce((sum, { total }) => sum + total, 0),
  isCapped: counts.some(({ isCapped }) => isCapped),
});
