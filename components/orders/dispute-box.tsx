'use client';

import { Scale } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { apiFetch } from '@/lib/browser/api-client';
import { redirectIfSignedOut } from '@/lib/browser/redirect-if-signed-out';
import type { DisputeView } from '@/lib/orders/disputes/views';
import { parsePercent, splitShare } from '@/lib/orders/placements/split';
import { DialogForm } from '../form/dialog-form';
import { getFormText } from '../form/form-text';
import { TextField } from '../form/text-field';
import { useApiForm } from '../form/use-api-form';
import { Button } from '../ui/button';
import { Card, CardBody, CardHeader } from '../ui/card';
import { ConfirmDialog } from '../ui/confirm-dialog';
import { Dialog } from '../ui/dialog';
import { Money } from '../ui/money';
import { TimeAgo } from '../ui/time-ago';

type Side = 'buyer' | 'seller';

type DisputeBoxProps = {
  dispute: DisputeView;
  /** The side of the user. */
  side: Side;
  /** The label of the dispute's reason. */
  reason: string;
};

const partyNames: Record<DisputeView['openedBy'], string> = {
  buyer: 'The buyer',
  seller: 'The seller',
  staff: 'Our team',
};

/** The dispute of an order: what it is about, the proposals of both sides, and what the user can do. */
export function DisputeBox({ dispute, side, reason }: DisputeBoxProps) {
  const nameOf = (party: DisputeView['openedBy']) => (party === side ? 'You' : partyNames[party]);
  return (
    <Card>
      <CardHeader
        title={
          <span className="inline-flex items-center gap-2">
            <Scale className="size-4 text-subtle" />
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
                {describeShare(dispute, side, proposal.buyerPercent)}, <TimeAgo at={proposal.at} />
                {proposal.acceptedAt === null ? null : ' (accepted)'}
              </li>
            ))}
          </ol>
        ) : null}
        {dispute.state === 'open' ? <OpenDispute dispute={dispute} side={side} /> : <Outcome dispute={dispute} />}
      </CardBody>
    </Card>
  );
}

/** The share in words: what the buyer gets, or what the seller keeps. */
function describeShare({ amountCents }: DisputeView, side: Side, buyerPercent: number) {
  if (side === 'buyer') return `${buyerPercent}% of the price returns to you`;
  return (
    <>
      {buyerPercent}% returns to the buyer, and you keep{' '}
      <Money amountMinor={splitShare({ sellerCents: amountCents, marginCents: 0 }, buyerPercent).sellerCents} />
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
        {state === 'settled' && buyerPercent !== null ? `: ${buyerPercent}% of the price returned to the buyer` : ''}
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

function OpenDispute({ dispute, side }: { dispute: DisputeView; side: Side }) {
  const router = useRouter();
  // The newest proposal of each side can be accepted, also when the other one was made later.
  const toAnswer = dispute.proposals.findLast(({ by, acceptedAt }) => by !== side && acceptedAt === null);
  const call = async (path: string, done: string) => {
    await apiFetch(`/api/disputes/${dispute.id}/${path}`, {
      method: 'POST',
      body: { version: dispute.version },
    }).catch(redirectIfSignedOut);
    toast.success(done);
    router.refresh();
  };
  return (
    <>
      <p className="text-muted">
        <NextStep dispute={dispute} side={side} />
      </p>
      <div className="flex flex-wrap gap-2">
        {dispute.openedBy === side ? (
          <ConfirmDialog
            trigger={<Button>Withdraw the dispute</Button>}
            title="Withdraw the dispute?"
            description="The order continues where it was before."
            confirmLabel="Withdraw"
            onConfirm={() => call('withdraw', 'Dispute withdrawn.')}
          />
        ) : null}
        <Propose dispute={dispute} side={side} />
        {toAnswer ? (
          <ConfirmDialog
            trigger={<Button variant="primary">Accept the proposal</Button>}
            title={`Accept that ${toAnswer.buyerPercent}% of the price returns to the buyer?`}
            description="This settles the dispute and cannot be undone."
            confirmLabel="Accept"
            tone="primary"
            onConfirm={() => call(`proposals/${toAnswer.n}/accept`, 'Dispute settled.')}
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
function Propose({ dispute, side }: { dispute: DisputeView; side: Side }) {
  const [open, setOpen] = useState(false);
  return (
    <Dialog
      trigger={<Button>Make a proposal</Button>}
      open={open}
      onOpenChange={setOpen}
      title="Make a proposal"
      description="The other side can accept it or make another proposal."
      size="sm"
    >
      <ProposalForm dispute={dispute} side={side} onDone={() => setOpen(false)} />
    </Dialog>
  );
}

function ProposalForm({ dispute, side, onDone }: { dispute: DisputeView; side: Side; onDone: () => void }) {
  const router = useRouter();
  const [typed, setTyped] = useState('50');
  const form = useApiForm({
    validate: (data): Record<string, string> =>
      parsePercent(getFormText(data, 'buyerPercent')) === null
        ? { buyerPercent: 'Enter a whole number from 0 to 100.' }
        : {},
    submit: (data) =>
      apiFetch<DisputeView>(`/api/disputes/${dispute.id}/proposals`, {
        method: 'POST',
        body: { buyerPercent: Number(getFormText(data, 'buyerPercent')), version: dispute.version },
      }).catch(redirectIfSignedOut),
    onSuccess: () => {
      toast.success('Proposal sent.');
      onDone();
      router.refresh();
    },
    fallback: (status) =>
      status === 0 ? 'No connection to the server. Try again.' : `The request failed (HTTP ${status}). Try again.`,
  });
  const percent = parsePercent(typed);
  return (
    <DialogForm form={form} submitLabel="Send proposal">
      <TextField
        name="buyerPercent"
        label="Share of the price that returns to the buyer, in percent"
        required
        type="number"
        min={0}
        max={100}
        inputMode="numeric"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        error={form.fields.buyerPercent}
      />
      <p role="status" className="text-muted text-sm">
        {percent === null ? null : describeShare(dispute, side, percent)}
      </p>
    </DialogForm>
  );
}
