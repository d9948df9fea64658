import type { ReactNode } from 'react';
import { Badge, type Tone } from '@/components/ui/badge';
import { Card, CardBody, CardHeader, type Fact, FactList } from '@/components/ui/card';
import { Icon } from '@/components/ui/icon';
import { Money } from '@/components/ui/money';
import { TimeAgo } from '@/components/ui/time-ago';
import { describeReason, verdictNames } from '@/lib/links/describe-reason';
import type { ChangeView } from '@/lib/orders/placements/changes/contract';
import { LiveLink } from './order-links';

type Shown = Pick<
  ChangeView,
  'id' | 'state' | 'text' | 'targetUrl' | 'anchor' | 'sellerNote' | 'check' | 'askedAt' | 'dueAt' | 'endedAt'
>;

type ChangeCardProps = {
  /** Newest first; the newest is shown whole. */
  changes: readonly (Shown & { price: readonly { label: string; cents: number }[] })[];
  /** What the user can do. */
  actions?: ReactNode;
  /** What is shown without a change. */
  empty?: ReactNode;
};

const states: Record<Shown['state'], { label: string; tone: Tone; due: string | null }> = {
  asked: { label: 'Requested', tone: 'blue', due: 'Answer by' },
  priced: { label: 'New price', tone: 'yellow', due: 'Answer by' },
  accepted: { label: 'Accepted', tone: 'blue', due: 'Due by' },
  delivered: { label: 'Delivered', tone: 'yellow', due: 'Review ends' },
  approved: { label: 'Approved', tone: 'green', due: null },
  declined: { label: 'Declined', tone: 'grey', due: null },
  withdrawn: { label: 'Withdrawn', tone: 'grey', due: null },
  expired: { label: 'Expired', tone: 'grey', due: null },
};

/** Renders where a paid change stands. */
const ChangeBadge = ({ state }: Pick<Shown, 'state'>) => <Badge tone={states[state].tone}>{states[state].label}</Badge>;

/** Renders in a list that an order has an open paid change, and where it stands. */
export const OpenChangeBadge = ({ state }: Pick<Shown, 'state'>) => (
  <Badge tone={states[state].tone}>{`Change: ${states[state].label.toLowerCase()}`}</Badge>
);

/** Renders the paid changes of an order with their requests, prices and states. */
export function ChangeCard({ changes, actions, empty }: ChangeCardProps) {
  const [newest, ...earlier] = changes;
  return (
    <Card aria-labelledby="change-heading">
      <CardHeader
        title={
          <span id="change-heading" className="inline-flex flex-wrap items-center gap-2">
            <Icon name="file-pen-line" className="text-subtle" />
            Paid change {newest ? <ChangeBadge state={newest.state} /> : null}
          </span>
        }
        description={
          newest ? (
            <>
              Requested <TimeAgo at={newest.askedAt} />.
            </>
          ) : null
        }
      />
      <CardBody className="grid gap-4 text-sm">
        {newest ? (
          <>
            <p className="wrap-anywhere whitespace-pre-line text-ink">{newest.text}</p>
            <FactList facts={factsOf(newest)} />
          </>
        ) : (
          empty
        )}
        {earlier.length > 0 ? (
          <ul aria-label="Earlier changes" className="grid gap-1.5">
            {earlier.map(({ id, state, endedAt, askedAt }) => (
              <li key={id} className="flex flex-wrap items-center gap-2 text-muted">
                <ChangeBadge state={state} /> <TimeAgo at={endedAt ?? askedAt} />
              </li>
            ))}
          </ul>
        ) : null}
        {actions ? <div className="flex flex-wrap gap-2 empty:hidden">{actions}</div> : null}
      </CardBody>
    </Card>
  );
}

function factsOf({
  state,
  price,
  targetUrl,
  anchor,
  sellerNote,
  check,
  dueAt,
}: ChangeCardProps['changes'][number]): Fact[] {
  const { due } = states[state];
  return [
    ...price.map(({ label, cents }): Fact => [label, <Money key={label} amountMinor={cents} />]),
    ...(targetUrl ? [['New target', <LiveLink key="target" url={targetUrl} />] satisfies Fact] : []),
    ...(anchor ? [['New anchor', anchor] satisfies Fact] : []),
    ...(sellerNote ? [['Seller’s note', sellerNote] satisfies Fact] : []),
    ...(check
      ? [
          [
            'Link check',
            <span key="check">
              {verdictNames[check.verdict]}, <TimeAgo at={check.checkedAt} />
              {check.reasons.length > 0 ? (
                <span className="block text-muted text-xs">{check.reasons.map(describeReason).join(' ')}</span>
              ) : null}
            </span>,
          ] satisfies Fact,
        ]
      : []),
    ...(due && dueAt ? [[due, <TimeAgo key="due" at={dueAt} />] satisfies Fact] : []),
  ];
}
