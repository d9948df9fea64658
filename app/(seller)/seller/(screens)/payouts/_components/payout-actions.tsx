'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { DialogForm } from '@/components/form/dialog-form';
import { useApiForm } from '@/components/form/use-api-form';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Icon } from '@/components/ui/icon';
import { Money } from '@/components/ui/money';
import { MoneyField } from '@/components/wallet/amount-field';
import { WithdrawRequest } from '@/components/wallet/withdraw-request';
import { apiFetch, newIdempotencyKey, redirectIfSignedOut } from '@/lib/browser/api-client';
import { formatUsd, parseMoney, toDecimalString } from '@/lib/money';

type RequestPayoutProps = { availableCents: number; minimumCents: number; feeCents: number };

/** Renders the button and dialog that request a payout. */
export function RequestPayout(props: RequestPayoutProps) {
  const [open, setOpen] = useState(false);
  return (
    <Dialog
      trigger={
        <Button variant="primary" disabled={props.availableCents < props.minimumCents} icon={<Icon name="banknote" />}>
          Request payout
        </Button>
      }
      open={open}
      onOpenChange={setOpen}
      title="Request a payout"
      description="We review each request before the money is sent. Until then you can withdraw it."
      size="md"
    >
      <RequestForm {...props} onDone={() => setOpen(false)} />
    </Dialog>
  );
}

function RequestForm({ availableCents, minimumCents, feeCents, onDone }: RequestPayoutProps & { onDone: () => void }) {
  const router = useRouter();
  const [amount, setAmount] = useState<string>(toDecimalString(availableCents));
  // A repeated request of this dialog, e.g. after a lost response, requests nothing twice.
  const [idempotencyKey] = useState(newIdempotencyKey);
  const cents = parseMoney(amount);
  const form = useApiForm<unknown>({
    validate: (): Record<string, string> =>
      cents === null || cents <= 0 ? { amountCents: 'Enter an amount above 0.' } : {},
    submit: () =>
      apiFetch('/api/seller/payouts', {
        method: 'POST',
        headers: { 'Idempotency-Key': idempotencyKey },
        body: { amountCents: cents },
      }).catch(redirectIfSignedOut),
    onSuccess: () => {
      toast.success('Payout requested.');
      onDone();
      router.refresh();
    },
  });
  const netCents = cents === null ? 0 : cents - feeCents;
  return (
    <DialogForm form={form} submitLabel="Request payout">
      <MoneyField
        name="amountCents"
        label="Amount"
        required
        value={amount}
        hint={`Available: ${formatUsd(availableCents)}. Minimum: ${formatUsd(minimumCents)}.`}
        error={form.fields.amountCents}
        onChange={(event) => setAmount(event.target.value)}
      />
      <dl aria-live="polite" className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 gap-y-1.5 text-sm">
        <dt className="text-muted">Fee</dt>
        <dd className="text-right text-ink">
          <Money amountMinor={feeCents} />
        </dd>
        <dt className="font-medium text-ink">You receive</dt>
        <dd className="text-right font-medium text-ink">{netCents > 0 ? <Money amountMinor={netCents} /> : '–'}</dd>
      </dl>
    </DialogForm>
  );
}

export function WithdrawPayout({ id, amountCents }: { id: string; amountCents: number }) {
  return (
    <WithdrawRequest
      path={`/api/seller/payouts/${id}`}
      subject="payout"
      amount={formatUsd(amountCents)}
      word="payout"
      consequence="The amount returns to your balance, and you can request it again."
    />
  );
}
