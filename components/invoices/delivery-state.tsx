import { Badge, type Tone } from '@/components/ui/badge';
import type { DeliveryChannel, InvoiceDeliveryState } from '@/db/enums';
import { channelNames } from '@/lib/invoices/delivery/channel-names';
import type { DocumentDelivery } from '@/lib/invoices/delivery/queries';

/** The states of a delivery on screens. */
export const deliveryStates: Readonly<Record<InvoiceDeliveryState, { tone: Tone; name: string }>> = {
  waiting: { tone: 'yellow', name: 'Waiting' },
  sent: { tone: 'blue', name: 'Sent' },
  delivered: { tone: 'green', name: 'Delivered' },
  rejected: { tone: 'red', name: 'Rejected' },
  incomplete: { tone: 'red', name: 'Incomplete' },
  failed: { tone: 'red', name: 'Failed' },
};

/** Shows the state of a delivery. @param channel named before the state where several channels are shown */
export function DeliveryState({ state, channel }: { state: InvoiceDeliveryState; channel?: DeliveryChannel }) {
  const { tone, name } = deliveryStates[state];
  return <Badge tone={tone}>{channel ? `${channelNames[channel]}: ${name}` : name}</Badge>;
}

/** Shows a buyer by which channels a document was sent. Why one was not is for staff. */
export function BuyerDeliveries({ deliveries }: { deliveries: readonly DocumentDelivery[] }) {
  return deliveries.map(({ channel, state }) => {
    const { tone, name } = deliveryStates[state];
    return (
      <Badge key={channel} tone={tone === 'red' ? 'grey' : tone}>
        {`${channelNames[channel]}: ${tone === 'red' ? 'Not delivered' : name}`}
      </Badge>
    );
  });
}
