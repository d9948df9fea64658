'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { CardForm } from '@/components/form/card-form';
import { DialogForm } from '@/components/form/dialog-form';
import { getFormText, SelectField, TextField } from '@/components/form/fields';
import { useApiForm } from '@/components/form/use-api-form';
import { MethodFields, readMethod } from '@/components/payouts/method-fields';
import { payoutMethodNames } from '@/components/payouts/payout-labels';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { Dialog } from '@/components/ui/dialog';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import { callAction } from '@/lib/browser/api-client';
import { parseMoney, toDecimalString } from '@/lib/money';
import { savePayoutRulesAction } from '@/lib/payouts/actions';
import type { PayoutRules } from '@/lib/payouts/rules';

const feeKinds = ['bank', 'paypal', 'agreement'] as const;

/** Edits the rules of payouts. Amounts are entered in USD. */
export function PayoutRulesForm({ rules, version: stored }: { rules: PayoutRules; version: number }) {
  const router = useRouter();
  const form = useApiForm({
    version: stored,
    submit: async (data, version) => {
      const { isPending } = await callAction(() =>
        savePayoutRulesAction({ ...readRules(data), payer: rules.payer, version }),
      );
      if (isPending) toast.info('The higher limit is waiting for approval by a second person. Nothing was changed.');
      else toast.success('Saved');
      router.refresh();
    },
    fallback: () => 'The rules couldn’t be saved. Please try again.',
  });
  const amount = (name: string, label: string, cents: number, hint: string) => (
    <TextField
      name={name}
      label={label}
      required
      type="number"
      min={0}
      step="0.01"
      currency="USD"
      trailing="USD"
      defaultValue={toDecimalString(cents)}
      error={form.fields[name]}
      hint={hint}
    />
  );
  return (
    <Card aria-label="Payout rules">
      <CardForm form={form} data-unmarked="" className="gap-6" submitLabel="Save rules" variant="primary">
        <p className="text-muted text-sm">New rules apply to new requests and approvals.</p>
        <fieldset className="grid content-start gap-4 sm:grid-cols-2">
          <legend className="mb-3 font-medium text-ink text-sm">Requests and approvals</legend>
          {amount('minimumCents', 'Minimum', rules.minimumCents, 'The smallest amount of a request.')}
          {amount(
            'approvalLimitCents',
            'Approval by one person up to',
            rules.approvalLimitCents,
            'To one seller in 24 hours. Above it two people approve. Raising it needs a second person.',
          )}
        </fieldset>
        <fieldset className="grid content-start gap-4 sm:grid-cols-3">
          <legend className="mb-3 font-medium text-ink text-sm">Fees, which the seller pays</legend>
          {feeKinds.map((kind) => (
            <div key={kind}>
              {amount(`feeCents.${kind}`, payoutMethodNames[kind], rules.feeCents[kind], 'For each payout.')}
            </div>
          ))}
        </fieldset>
      </CardForm>
    </Card>
  );
}

/** Reads the amounts of the form. A text that is not an amount becomes NaN, which the server refuses for its field. */
function readRules(data: FormData): Omit<PayoutRules, 'payer'> {
  const read = (name: string) => parseMoney(getFormText(data, name)) ?? Number.NaN;
  return {
    minimumCents: read('minimumCents'),
    approvalLimitCents: read('approvalLimitCents'),
    feeCents: { bank: read('feeCents.bank'), paypal: read('feeCents.paypal'), agreement: read('feeCents.agreement') },
  };
}

type PayerCardProps = { rules: PayoutRules; version: number; countryCodes: string };

/** Shows the account that bank files are paid from, and the dialog that changes it. */
export function PayerCard({ rules, version, countryCodes }: PayerCardProps) {
  const { payer } = rules;
  const dialog = <PayerDialog key={version} rules={rules} version={version} countryCodes={countryCodes} />;
  if (!payer)
    return (
      <Card aria-label="Your bank account">
        <CardHeader title="Your bank account" />
        <EmptyState icon={<Icon name="landmark" />} title="No account" action={dialog}>
          Enter the account that payouts are paid from to export bank files.
        </EmptyState>
      </Card>
    );
  return (
    <Card aria-label="Your bank account">
      <CardHeader title="Your bank account" description="Bank files are paid from it." actions={dialog} />
      <CardBody className="grid gap-1 text-sm">
        <p className="wrap-anywhere font-medium text-ink">{payer.holder}</p>
        <p className="wrap-anywhere text-muted">
          {payer.format === 'iban' ? payer.iban : `${payer.routingNumber} / ${payer.accountNumber}`}
        </p>
      </CardBody>
    </Card>
  );
}

function PayerDialog(props: PayerCardProps) {
  const [open, setOpen] = useState(false);
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      trigger={<Button size="sm">{props.rules.payer ? 'Change' : 'Enter account'}</Button>}
      title="Your bank account"
      description="Applies to new bank files. Earlier files keep the account that they were made with."
    >
      <PayerForm {...props} onDone={() => setOpen(false)} />
    </Dialog>
  );
}

function PayerForm({ rules, version, countryCodes, onDone }: PayerCardProps & { onDone: () => void }) {
  const router = useRouter();
  const [choice, setChoice] = useState<'iban' | 'account'>(rules.payer?.format ?? 'iban');
  const form = useApiForm({
    submit: async (data) => {
      const payer = readMethod(choice, data, 'payer');
      if (payer.kind !== 'bank') return;
      const { isPending } = await callAction(() => savePayoutRulesAction({ ...rules, payer, version }));
      if (isPending) toast.info('The account is waiting for approval by a second person.');
      else toast.success('Saved');
      onDone();
      router.refresh();
    },
    fallback: () => 'The account couldn’t be saved. Please try again.',
  });
  return (
    <DialogForm form={form} submitLabel="Save account" className="gap-4 sm:grid-cols-2">
      <SelectField
        name="format"
        label="Account"
        required
        value={choice}
        options={{ iban: 'Bank account with IBAN', account: 'US bank account' }}
        className="col-span-full"
        onChange={({ target }) => {
          setChoice(target.value === 'account' ? 'account' : 'iban');
          form.reset();
        }}
      />
      <MethodFields key={choice} choice={choice} errors={form.fields} countryCodes={countryCodes} prefix="payer" />
    </DialogForm>
  );
}
