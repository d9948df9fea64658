'use client';

import { toast } from 'sonner';
import {
  createRowSelection,
  PageCheckbox,
  RowCheckbox,
  SelectionBar,
  useSelectedIds,
} from '@/components/table/row-selection';
import { Button } from '@/components/ui/button';
import { ConfirmAction } from '@/components/ui/confirm-action';
import type { PayoutMethodKind, PayoutState } from '@/db/schema/payouts';
import { apiFetch, callAction } from '@/lib/browser/api-client';
import { approvePayoutsAction } from '@/lib/payouts/actions';
import type { AdminPayoutView, BankFileFormat, PayoutBatchView } from '@/lib/payouts/contract';

type Selectable = Pick<AdminPayoutView, 'id' | 'state' | 'methodKind'>;

/** The selected payouts, each as its state, method and id: state and method decide what can be done with it. */
const payoutSelection = createRowSelection<`${PayoutState}:${PayoutMethodKind}:${string}`>();
const toKey = ({ id, state, methodKind }: Selectable) => `${state}:${methodKind}:${id}` as const;

const count = (payouts: number) => (payouts === 1 ? '1 payout' : `${payouts.toLocaleString('en-US')} payouts`);

export const PayoutCheckbox = ({ payout, name }: { payout: Selectable; name: string }) => (
  <RowCheckbox selection={payoutSelection} id={toKey(payout)} label={`Select the payout to ${name}`} />
);

/** Selects all payouts of the page that can be approved, exported or sent. */
export const PayoutsCheckbox = ({ payouts }: { payouts: readonly Selectable[] }) => (
  <PageCheckbox selection={payoutSelection} ids={payouts.map(toKey)} label="Select every payout on this page" />
);

const bankFormats: readonly [format: BankFileFormat, name: string][] = [
  ['csv', 'CSV'],
  ['pain.001', 'pain.001'],
];

/** Renders the actions for the selected payouts. Displayed at the bottom of the screen while payouts are selected. */
export function PayoutBulkBar() {
  const selected = useSelectedIds(payoutSelection);
  if (selected.length === 0) return null;
  const idsOf = (prefix: PayoutState | `${PayoutState}:${PayoutMethodKind}`) =>
    selected.filter((key) => key.startsWith(`${prefix}:`)).map((key) => key.slice(key.lastIndexOf(':') + 1));
  const [requested, approved, forPaypal] = [idsOf('requested'), idsOf('approved:bank'), idsOf('approved:paypal')];
  const approve = async () => {
    const done = await callAction(() => approvePayoutsAction({ ids: requested }));
    const { waiting, refused } = done;
    const notes = [
      waiting > 0 ? `${count(waiting)} need a second person.` : '',
      ...refused.slice(0, 3).map(({ message }) => message),
      refused.length > 3 ? `${refused.length - 3} more were not approved.` : '',
    ].filter(Boolean);
    const show = refused.length > 0 ? toast.warning : toast.success;
    show(`${count(done.approved)} approved.`, { description: notes.join(' ') || undefined });
    payoutSelection.write([]);
  };
  const createBatch = async (path: 'export' | 'send', body: object) => {
    const batch = await apiFetch<PayoutBatchView>(`/api/admin/payouts/${path}`, { method: 'POST', body });
    payoutSelection.write([]);
    return batch;
  };
  const exportAs = (format: BankFileFormat) => async () => {
    const batch = await createBatch('export', { format, ids: approved });
    toast.success(`${count(batch.payoutCount)} exported.`, { description: 'Download the file under Batches.' });
    if (batch.fileUrl) location.assign(batch.fileUrl);
  };
  const send = async () => {
    const batch = await createBatch('send', { ids: forPaypal });
    toast.success(`${count(batch.payoutCount)} sent.`, { description: 'Batches shows what PayPal reports.' });
  };
  return (
    <SelectionBar count={count(selected.length)} onClear={() => payoutSelection.write([])}>
      {approved.length > 0
        ? bankFormats.map(([format, name]) => (
            <ConfirmAction
              key={format}
              trigger={<Button size="sm">{`Export ${name}`}</Button>}
              title={`Export ${count(approved.length)} as ${name}?`}
              description="They’re marked as sent. Upload the file at your bank; a payout is in one file only."
              confirmLabel="Export"
              tone="primary"
              action={exportAs(format)}
            />
          ))
        : null}
      {forPaypal.length > 0 ? (
        <ConfirmAction
          trigger={<Button size="sm">Send with PayPal</Button>}
          title={`Send ${count(forPaypal.length)} with PayPal?`}
          description="They’re paid from your PayPal balance. PayPal charges its fees to you."
          confirmLabel="Send"
          tone="primary"
          action={send}
        />
      ) : null}
      {requested.length > 0 ? (
        <ConfirmAction
          trigger={
            <Button size="sm" variant="primary">
              Approve
            </Button>
          }
          title={`Approve ${count(requested.length)}?`}
          description="Sellers can no longer withdraw them."
          confirmLabel="Approve"
          tone="primary"
          action={approve}
        />
      ) : null}
    </SelectionBar>
  );
}
