import type { OrderView } from '@/lib/orders/views';
import { Badge } from '../ui/badge';
import type { Tone } from '../ui/tone';

const tones: Record<OrderView['status'], Tone> = {
  Pending: 'yellow',
  Processing: 'blue',
  Live: 'green',
  Completed: 'green',
  Rejected: 'red',
  Refunded: 'grey',
};

export function OrderStatusBadge({ status }: { status: OrderView['status'] }) {
  return (
    <Badge tone={tones[status]} dot>
      {status}
    </Badge>
  );
}
