import type { OrderStatus } from '@/db/schema/orders';
import type { PlacementState } from '@/db/schema/placements';
import { isOver } from '@/lib/orders/placements/states';

type EditedOrder = { status: OrderStatus; placement?: { state: PlacementState } | null | undefined };

/** Whether the buyer can change the brief: while the placement is offered, and without one while the order is Pending. */
export const isBriefEditable = ({ status, placement }: EditedOrder): boolean =>
  placement && !isOver(placement) ? placement.state === 'offered' : status === 'Pending';
