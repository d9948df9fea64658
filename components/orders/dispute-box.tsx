'use client';

import { FormDialog } from '@/components/form/dialog-form';
import { getFormText } from '@/components/form/fields';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { ConfirmAction } from '@/components/ui/confirm-action';
import { Icon } from '@/components/ui/icon';
import { Money } from '@/components/ui/money';
import { TimeAgo } from '@/components/ui/time-ago';
import { apiFetch, redirectIfSignedOut } from '@/lib/browser/api-client';
import type { DisputeView } from '@/lib/orders/disputes/contract';
import { splitSettlement } from '@/lib/orders/placements/shares';
import { PercentField, percentErrors } from './percent-field';

type Side = 'buyer' | 'seller';

type DisputeBoxProps = {
  dispute: DisputeView;
  /** The side of the user. */
  side: Side;
  /** The label of the dispute's reason. */
  reason: string;
  /** For the seller: what of the share is payable already, in USD cents. It stays with the seller. */
  payableCents?: number;
  /** For the buyer: whether the delivery was approved, so that part of the price cannot return. */
  isApproved?: boolean;
};
type Kept = Pick<DisputeBoxProps, 'payableCents' | 'isApproved'>;

const partyNames: Record<DisputeView['openedBy'], string> = {
  buyer: 'The buyer',
  seller: 'The seller',
  staff: 'Our team',
};

/** Renders the dispute of an order: what it is about, the proposals of both sides, and what the user can do. */
export function DisputeBox({ dispute, side, reason, ...kept }: DisputeBoxProps) {
  const nameOf = (party: DisputeView['openedBy']) => (party === side ? 'You' : partyNames[party]);
  return (
    <Card>
      <CardHeader
        title={
          <span className="inline-flex items-center gap-2">
            <Icon name="scale" className="text-subtle" />
            {dispute.state === 'open' ? 'Dispute' : 'Dispute, closed'}
          </span>
        }
        description={
          <>
            {nameOf(dispute.openedBy)} opened it <TimeAgo at={dispute.createdAt} />.
          </>
        }
      />
      <CardBody className="grid gap-4 text-sm">
        <div>
          <p className="font-medium text-ink">{reason}</p>
          {dispute.text ? <p className="wrap-anywhere mt-1 whitespace-pre-line text-muted">{dispute.text}</p> : null}
        </div>
        {dispute.proposals.length > 0 ? (
          <ol aria-label="Proposals" className="grid gap-1.5">
            {dispute.proposals.map((proposal) => (
              <li key={proposal.n} className="text-muted">
                <span className="text-ink">{nameOf(proposal.by)}</span>:{' '}
                {describeShare(dispute, side, proposal.buyerPercent, kept)}, <TimeAgo at={proposal.at} />
                {proposal.acceptedAt === null ? null : ' (accepted)'}
              </li>
            ))}
          </ol>
        ) : null}
        {dispute.state === 'open' ? (
          <OpenDispute dispute={dispute} side={side} kept={kept} />
        ) : (
          <Outcome dispute={dispute} />
        )}
      </CardBody>
    </Card>
  );
}

/** Describes the share: what the buyer gets, or what the seller keeps. */
function describeShare(
  { state, amountCents }: DisputeView,
  side: Side,
  buyerPercent: number,
  { payableCents = 0, isApproved = false }: Kept,
) {
  if (side === 'buyer') return `${isApproved ? 'up to ' : ''}${buyerPercent}% of the price returns to you`;
  // After the dispute, more is payable than at the time of the proposal.
  if (state !== 'open') return `${buyerPercent}% returns to the buyer`;
  const shares = { sellerCents: amountCents, marginCents: 0, ripenedCents: payableCents };
  return (
    <>
      {buyerPercent}% returns to the buyer, and you keep{' '}
      <Money amountMinor={splitSettlement(shares, buyerPercent).sellerCents} />
    </>
  );
}

function Outcome({ dispute: { state, buyerPercent, outcome, note, decidedAt } }: { dispute: DisputeView }) {
  const how = {
    agreed: 'Both sides agreed',
    silence: 'A proposal was not answered in time',
    decided: 'Our team decided',
    withdrawn: 'It was withdrawn',
  };
  return (
    <div>
      <p className="text-ink">
        {outcome === null ? 'It ended' : how[outcome]}
        {state === 'settled' && buyerPercent !== null ? `: a share of ${buyerPercent}% for the buyer` : ''}
        {decidedAt === null ? null : (
          <>
            , <TimeAgo at={decidedAt} />
          </>
        )}
        .
      </p>
      {note ? <p className="wrap-anywhere mt-1 whitespace-pre-line text-muted">{note}</p> : null}
    </div>
  );
}

type OpenDisputeProps = { dispute: DisputeView; side: Side; kept: Kept };

const post = ({ id, version }: DisputeView, path: string, body: object = {}) =>
  apiFetch(`/api/disputes/${id}/${path}`, { method: 'POST', body: { ...body, version } }).catch(redirectIfSignedOut);

function OpenDispute({ dispute, side, kept }: OpenDisputeProps) {
  // The newest proposal of each side can be accepted, also when the other one was made later.
  const toAnswer = dispute.proposals.findLast(({ by, acceptedAt }) => by !== side && acceptedAt === null);
  return (
    <>
      <p className="text-muted">
        <NextStep dispute={dispute} side={side} />
        {kept.isApproved ? ' The part of the price that is payable to the seller already does not return.' : null}
      </p>
      <div className="flex flex-wrap gap-2">
        {dispute.openedBy === side ? (
          <ConfirmAction
            trigger={<Button>Withdraw the dispute</Button>}
            title="Withdraw the dispute?"
            description="The order continues where it was before."
            confirmLabel="Withdraw"
            action={() => post(dispute, 'withdraw')}
            done="Dispute withdrawn."
          />
        ) : null}
        <Propose dispute={dispute} side={side} kept={kept} />
        {toAnswer ? (
          <ConfirmAction
            trigger={<Button variant="primary">Accept the proposal</Button>}
            title={`Accept the share of ${toAnswer.buyerPercent}% for the buyer?`}
            description="This settles the dispute and cannot be undone."
            confirmLabel="Accept"
            tone="primary"
            action={() => post(dispute, `proposals/${toAnswer.n}/accept`)}
            done="Dispute settled."
          />
        ) : null}
      </div>
    </>
  );
}

function NextStep({ dispute, side }: { dispute: DisputeView; side: Side }) {
  if (dispute.silenceDueAt === null) return 'Propose a share of the price that returns to the buyer.';
  return dispute.proposals.at(-1)?.by !== side ? (
    <>
      Accept the proposal or make another one. Without your answer, it is accepted <TimeAgo at={dispute.silenceDueAt} />
      .
    </>
  ) : (
    <>
      Your proposal waits for an answer. Without one, it is accepted <TimeAgo at={dispute.silenceDueAt} />.
    </>
  );
}

/** Makes a proposal; the preview follows the typed share. */
function Propose({ dispute, side, kept }: OpenDisputeProps) {
  return (
    <FormDialog
      trigger={<Button>Make a proposal</Button>}
      title="Make a proposal"
      description="The other side can accept it or make another proposal."
      size="sm"
      fields={[
        {
          name: 'buyerPercent',
          label: 'Share of the price that returns to the buyer, in percent',
          render: (field) => (
            <PercentField {...field}>
              {(percent) => (
                <p role="status" className="text-muted text-sm">
                  {percent === null ? null : describeShare(dispute, side, percent, kept)}
                </p>
              )}
            </PercentField>
          ),
        },
      ]}
      validate={(data) => percentErrors(getFormText(data, 'buyerPercent'))}
      submitLabel="Send proposal"
      submit={(data) => post(dispute, 'proposals', { buyerPercent: Number(getFormText(data, 'buyerPercent')) })}
      done="Proposal sent."
    />
  );
}
