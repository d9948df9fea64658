import { Badge } from '@/components/ui/badge';
import type { EndpointView } from '@/lib/developers/webhooks/views';

const offTexts = { owner: 'Off', failing: 'Off after failures', gone: 'Off: 410 Gone' };

/** The state of an endpoint as a badge. */
export function EndpointState({ endpoint }: { endpoint: EndpointView }) {
  const { isEnabled, offReason, failingSince, isOwnerEntitled } = endpoint;
  if (!isEnabled)
    return <Badge tone={offReason === 'owner' ? 'neutral' : 'red'}>{offTexts[offReason ?? 'owner']}</Badge>;
  if (isOwnerEntitled === false) return <Badge tone="yellow">Paused</Badge>;
  if (failingSince !== null) return <Badge tone="yellow">Failing</Badge>;
  return <Badge tone="green">On</Badge>;
}

/** The last answer of an endpoint or a delivery in words. */
export function describeAnswer({ lastStatus, lastError }: Pick<EndpointView, 'lastStatus' | 'lastError'>): string {
  if (lastStatus !== null) return String(lastStatus);
  return lastError || 'None yet';
}
