'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { SelectField, TextField } from '@/components/form/fields';
import { setPendingHref } from '@/components/table/use-param-change';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Dialog, DialogBody, DialogClose, DialogFooter } from '@/components/ui/dialog';
import { AmountField } from '@/components/wallet/amount-field';
import { ApiError, apiFetch, newIdempotencyKey } from '@/lib/browser/api-client';
import { formatUsd, parseMoney, toDecimalString, walletCurrency } from '@/lib/money';

type ManualTopUpProps = {
  users: readonly { id: string; label: string; balanceCents: number }[];
  /** The list of users is truncated. */
  isCut: boolean;
  initialUserId: string;
  /** The URL of the screen with the dialog closed. */
  closeHref: string;
};

/** Credits a wallet manually. A failed request keeps the form values. */
export function ManualTopUp({ users, isCut, initialUserId, closeHref }: ManualTopUpProps) {
  const router = useRouter();
  const [open, setOpen] = useState(true);
  const [userId, setUserId] = useState(initialUserId);
  const [amount, setAmount] = useState('');
  const [note, setNote] = useState('');
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<ManualTopUpFailure>({});
  // The idempotency key is reused while the form values stay the same, so that a retry after a lost response credits
  // once.
  const [attempt, setAttempt] = useState({ content: '', key: '' });
  const user = users.find(({ id }) => id === userId);
  const cents = parseMoney(amount);

  const close = () => {
    setOpen(false);
    setPendingHref(closeHref);
    router.push(closeHref, { scroll: false });
  };

  const submit = async () => {
    const missing = {
      ...(!user && { userId: 'Choose a user.' }),
      ...((cents === null || cents <= 0) && { amount: 'Enter an amount above 0.' }),
    };
    setFailure({ fields: missing });
    if (!user || cents === null || cents <= 0) return;
    const content = JSON.stringify([userId, cents, note]);
    const key = attempt.content === content ? attempt.key : newIdempotencyKey();
    setAttempt({ content, key });
    setPending(true);
    const sent = await sendManualTopUp({ userId, amountCents: cents, note }, key);
    setPending(false);
    if ('failure' in sent) return setFailure(sent.failure);
    if (sent.isPending) toast.info(`${formatUsd(cents)} for ${user.label} is waiting for approval by a second person.`);
    else toast.success(`${formatUsd(cents)} credited to ${user.label}.`);
    close();
    router.refresh();
  };

  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && !pending && close()}
      title="Manual Top-Up"
      description="Credits a wallet without a payment. The books and the audit log record your name."
      size="sm"
    >
      <form
        noValidate
        className="contents"
        onSubmit={(event) => {
          event.preventDefault();
          if (!pending) void submit();
        }}
      >
        <DialogBody className="grid gap-5">
          {failure.message ? <Alert tone="error">{failure.message}</Alert> : null}
          <SelectField
            label="User"
            name="userId"
            required
            placeholder="Choose a user"
            value={userId}
            disabled={pending}
            error={failure.fields?.userId}
            options={users.map(({ id, label }) => ({ value: id, label }))}
            hint={
              user
                ? `Balance now: ${formatUsd(user.balanceCents)}`
                : isCut
                  ? `Showing the first ${users.length} users by name. To find others, search and select Top-Up in their row.`
                  : undefined
            }
            onChange={(event) => {
              setUserId(event.target.value);
              setFailure({});
            }}
          />
          <AmountField
            value={amount}
            error={failure.fields?.amount}
            disabled={pending}
            step="1"
            onChange={(value) => {
              setAmount(value);
              setFailure({});
            }}
          />
          <TextField
            label="Note"
            name="note"
            value={note}
            maxLength={500}
            disabled={pending}
            error={failure.fields?.note}
            autoComplete="off"
            placeholder="Optional, visible to the user"
            onChange={(event) => setNote(event.target.value)}
          />
        </DialogBody>
        <DialogFooter>
          <DialogClose>
            <Button disabled={pending}>Cancel</Button>
          </DialogClose>
          <Button type="submit" variant="primary" pending={pending}>
            {cents !== null && cents > 0 ? `Credit ${formatUsd(cents)}` : 'Credit wallet'}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}

type ManualTopUpFailure = {
  /** The error of the whole form. */
  message?: string;
  /** Errors by field name. */
  fields?: Record<string, string>;
};

/**
 * @param key the idempotency key; a retry with the same key credits nothing more
 * @returns the errors, or whether the credit requires approval
 */
async function sendManualTopUp(
  { userId, amountCents, note }: { userId: string; amountCents: number; note: string },
  key: string,
): Promise<{ failure: ManualTopUpFailure } | { isPending: boolean }> {
  try {
    const { status } = await apiFetch<{ status: string }>('/api/admin/wallet/topup', {
      method: 'POST',
      headers: { 'Idempotency-Key': key },
      body: { userId, amount: Number(toDecimalString(amountCents)), currency: walletCurrency, note },
    });
    return { isPending: status === 'Pending' };
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause;
    if (Object.keys(cause.fields).length > 0) return { failure: { fields: cause.fields } };
    const isReason = [403, 404, 409].includes(cause.status);
    return { failure: { message: isReason ? cause.message : 'Top-up failed. Please try again.' } };
  }
}
