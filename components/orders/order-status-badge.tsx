import { Badge } from '@/components/ui/badge';
import type { Tone } from '@/components/ui/tone';
import type { OrderView } from '@/lib/orders/views';

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
