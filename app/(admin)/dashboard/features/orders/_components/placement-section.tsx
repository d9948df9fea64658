import type { ComponentProps } from 'react';
import { PlacementStateBadge } from '@/components/orders/state-badges';
import { Badge } from '@/components/ui/badge';
import { PlacementActions } from './placement-actions';

type PlacementSectionProps = {
  order: ComponentProps<typeof PlacementActions>['order'];
  /** Actions would discard what was typed. */
  isUnsaved: boolean;
};

/** The state of the placement, and what staff can do for either side. */
export function PlacementSection({ order, isUnsaved }: PlacementSectionProps) {
  return (
    <section aria-labelledby="placement-heading" className="grid gap-3">
      <h3 id="placement-heading" className="flex flex-wrap items-center gap-2 text-ink text-sm">
        Fulfilled by a seller <PlacementStateBadge state={order.placement.state} />
        {order.placement.isLate ? <Badge tone="red">Late</Badge> : null}
      </h3>
      {isUnsaved ? (
        <p className="text-muted text-sm">Save or discard your changes to act for the buyer or the seller.</p>
      ) : (
        <div className="flex flex-wrap gap-2">
          <PlacementActions order={order} />
        </div>
      )}
    </section>
  );
}
