import { Badge, type Tone } from '@/components/ui/badge';
import { type Fact, FactList } from '@/components/ui/card';
import { Money } from '@/components/ui/money';
import { TimeAgo } from '@/components/ui/time-ago';
import type { RequestView } from '@/lib/orders/requests/contract';

const states: Record<RequestView['state'], { tone: Tone; label: string }> = {
  open: { tone: 'yellow', label: 'Needs approval' },
  approved: { tone: 'green', label: 'Approved' },
  declined: { tone: 'red', label: 'Declined' },
  expired: { tone: 'grey', label: 'Expired' },
};

/** Renders the state of a request; of an open one also that the client has answered. */
export function RequestStateBadge({ request: { state, isAnsweredByClient } }: { request: RequestView }) {
  const isConfirmation = state === 'open' && isAnsweredByClient;
  return (
    <Badge tone={isConfirmation ? 'blue' : states[state].tone}>
      {isConfirmation ? 'Answered by the client' : states[state].label}
    </Badge>
  );
}

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** Renders who asked for an order, why it waits, and what was answered. */
export function RequestFacts({ request }: { request: RequestView }) {
  const { state, projectDomain, requestedBy, createdAt, expiresAt, reasons, totalCents, note } = request;
  const { decidedBy, decidedAt, isAnsweredByClient } = request;
  const answeredBy = decidedBy?.name ?? (isAnsweredByClient ? 'The client' : null);
  const facts: Fact[] = [
    ['Project', projectDomain],
    ['Requested by', requestedBy.name],
    ['Requested', <TimeAgo key="at" at={createdAt} />],
    ...(totalCents === null ? [] : [['Total', <Money key="total" amountMinor={totalCents} />] satisfies Fact]),
    ...(reasons.length > 0
      ? [
          [
            'Reason',
            <span key="reasons" className="grid gap-1">
              {reasons.map(({ code, text }) => (
                <span key={code}>{text}</span>
              ))}
            </span>,
          ] satisfies Fact,
        ]
      : []),
    ...(state === 'open'
      ? [
          [
            'Expires on',
            <time key="end" dateTime={expiresAt}>
              {day.format(new Date(expiresAt))}
            </time>,
          ] satisfies Fact,
        ]
      : []),
    ...(answeredBy && state !== 'open' ? [['Answered by', answeredBy] satisfies Fact] : []),
    ...(decidedAt && state !== 'open' ? [['Answered', <TimeAgo key="decided" at={decidedAt} />] satisfies Fact] : []),
    ...(note ? [['Note', note] satisfies Fact] : []),
  ];
  return <FactList facts={facts} />;
}
