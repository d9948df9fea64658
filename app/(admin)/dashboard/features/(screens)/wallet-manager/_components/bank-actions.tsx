'use client';

import { Check, Undo2, Upload } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { ActionMenu, type MenuAction } from '@/components/form/action-menu';
import { getFormText, SelectField } from '@/components/form/fields';
import { useOperation } from '@/components/form/use-operation';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Dialog, DialogBody, DialogClose, DialogFooter } from '@/components/ui/dialog';
import { FileDrop } from '@/components/ui/file-drop';
import { apiFetch } from '@/lib/browser/api-client';
import { sendFile } from '@/lib/browser/upload';
import { formatMoney } from '@/lib/money';
import type { BankLineView, UploadResult } from '@/lib/payments/bank-transfers/contract';

type Account = { id: string; currency: string };

/** Uploads a bank statement and shows what it credited. */
export function UploadStatement({ accounts }: { accounts: readonly Account[] }) {
  const [open, setOpen] = useState(false);
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button variant="primary" icon={<Upload className="size-4" />}>
          Upload statement
        </Button>
      }
      title="Upload a bank statement"
      description="Credits the transfers that have the reference and the amount of a request. A statement can be uploaded again: nothing is credited twice."
    >
      <UploadForm accounts={accounts} />
    </Dialog>
  );
}

function UploadForm({ accounts }: { accounts: readonly Account[] }) {
  const router = useRouter();
  const [file, setFile] = useState<File | null>(null);
  const [account, setAccount] = useState('');
  const [result, setResult] = useState<UploadResult | null>(null);
  const { pending, error, setError, run } = useOperation({
    fallback: () => 'The statement couldn’t be uploaded. Please try again.',
  });
  const path = `/api/admin/bank-transfers/upload${account && `?account=${encodeURIComponent(account)}`}`;
  const send = () =>
    file
      ? run(async () => {
          setResult(await sendFile<UploadResult>(path, file));
          router.refresh();
        })
      : setError('Choose a file.');

  return (
    <>
      <DialogBody className="grid gap-4">
        {error ? <Alert tone="error">{error}</Alert> : null}
        {result ? (
          <Summary result={result} />
        ) : (
          <>
            <FileDrop
              prompt="Choose a statement or drop it here"
              limits="camt.053, or the CSV of your bank with whole days; up to 5 MB"
              accept=".xml,.csv,.txt"
              aria-label="Bank statement"
              disabled={pending}
              onFile={(chosen) => {
                setFile(chosen);
                setError(null);
              }}
            />
            {accounts.length > 1 ? (
              <SelectField
                label="Account"
                name="account"
                value={account}
                disabled={pending}
                options={[
                  { value: '', label: 'As the file says' },
                  ...accounts.map(({ id, currency }) => ({ value: id, label: `${currency}, ${id}` })),
                ]}
                hint="Only for a CSV file that does not name its account."
                onChange={(event) => setAccount(event.target.value)}
              />
            ) : null}
          </>
        )}
      </DialogBody>
      <DialogFooter>
        <DialogClose>
          <Button disabled={pending}>{result ? 'Close' : 'Cancel'}</Button>
        </DialogClose>
        {result ? null : (
          <Button variant="primary" pending={pending} onClick={send}>
            Upload
          </Button>
        )}
      </DialogFooter>
    </>
  );
}

const count = (transfers: number) =>
  transfers === 1 ? '1 transfer' : `${transfers.toLocaleString('en-US')} transfers`;

function Summary({ result: { credited, partial, unmatched, known, ignored } }: { result: UploadResult }) {
  return (
    <div className="grid gap-3 text-sm">
      <Alert tone={partial + unmatched > 0 ? 'warning' : 'success'}>{count(credited)} credited.</Alert>
      {partial + unmatched > 0 ? <p>{count(partial + unmatched)} not credited: see the reasons in the list.</p> : null}
      <p className="text-muted">
        {count(known)} known from another file. {ignored.toLocaleString('en-US')} other{' '}
        {ignored === 1 ? 'row was' : 'rows were'} ignored: debits, and returned payments to sellers.
      </p>
    </div>
  );
}

/** Renders the actions for a transfer that waits for staff. */
export function BankLineMenu({ line }: { line: BankLineView }) {
  const { id, state, amountMinor, currency, isReversal, userEmail, bookedOn } = line;
  if (state === 'matched' || state === 'returned') return null;
  const money = formatMoney(amountMinor, currency);
  const decide = (step: 'credit' | 'return', body: object) =>
    apiFetch<{ status: string }>(`/api/admin/bank-transfers/${id}/${step}`, { method: 'POST', body });
  const buyerField = {
    name: 'buyer',
    label: 'Buyer',
    hint: 'An email address, or the reference of a request.',
    defaultValue: userEmail ?? '',
    maxLength: 320,
    required: true,
  };
  const readPayer = (data: FormData) => {
    const buyer = getFormText(data, 'buyer').trim();
    return buyer === userEmail ? {} : buyer.includes('@') ? { email: buyer } : { reference: buyer };
  };
  const note = { name: 'note', label: 'Note', hint: 'For the audit log.', maxLength: 500, required: true };
  const credit: MenuAction = {
    label: 'Credit',
    icon: <Check className="size-4" />,
    form: {
      title: `Credit ${money}?`,
      description:
        currency === 'USD'
          ? 'The amount that arrived is added to the wallet.'
          : 'The amount that arrived is added to the wallet, at the European Central Bank’s rate of the booking day.',
      size: 'sm',
      submitLabel: 'Credit',
      fields: [buyerField, note],
      submit: (data) => decide('credit', { ...readPayer(data), note: getFormText(data, 'note') }),
      done: (result) =>
        typeof result === 'object' && result !== null && 'status' in result && result.status === 'waiting'
          ? 'The credit waits for the approval of a second person.'
          : `${money} credited.`,
      fallback: () => 'The transfer couldn’t be credited. Please try again.',
    },
  };
  const takeBack: MenuAction = {
    label: 'Take back from the buyer',
    icon: <Undo2 className="size-4" />,
    form: {
      title: `Take ${money} back?`,
      description:
        'Closes the transfer that the bank took back. Its credit leaves the wallet; what the wallet no longer holds, the buyer owes.',
      size: 'sm',
      submitLabel: 'Take back',
      fields: [buyerField, note],
      submit: (data) =>
        decide('return', { outcome: 'taken_back', ...readPayer(data), note: getFormText(data, 'note') }),
      done: `${money} taken back.`,
      fallback: () => 'The transfer couldn’t be taken back. Please try again.',
    },
  };
  const close = (outcome: 'sent_back' | 'not_a_topup', label: string, description: string): MenuAction => ({
    label,
    icon: <Undo2 className="size-4" />,
    form: {
      title: `${label}: ${money}`,
      description,
      size: 'sm',
      submitLabel: label,
      fields: [note],
      submit: (data) => decide('return', { outcome, note: getFormText(data, 'note') }),
      done: 'Transfer closed.',
      fallback: () => 'The transfer couldn’t be closed. Please try again.',
    },
  });
  const sentBack = close(
    'sent_back',
    'Record as sent back',
    'Records that you sent the money back at your bank. This moves no money itself.',
  );
  const other = close(
    'not_a_topup',
    isReversal ? 'Close' : 'Not from a buyer',
    isReversal
      ? 'For a reversal of no buyer’s transfer, or of one that was recorded as sent back.'
      : 'For interest, payouts of payment providers and the like. It leaves the list and the amounts owed to buyers.',
  );
  return (
    <ActionMenu
      name={`the transfer of ${money} on ${bookedOn}`}
      actions={isReversal ? [takeBack, other] : [credit, sentBack, other]}
    />
  );
}
