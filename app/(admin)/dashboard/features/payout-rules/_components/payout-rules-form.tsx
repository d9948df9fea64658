'use client';

import { useRouter } from 'next/navigation';
import { toast } from 'sonner';
import { savePayoutRulesAction } from '@/app/(admin)/dashboard/features/payout-rules/actions';
import { getFormText, TextField } from '@/components/form/fields';
import { useApiForm } from '@/components/form/use-api-form';
import { payoutMethodNames } from '@/components/payouts/payout-labels';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardFooter } from '@/components/ui/card';
import { callAction } from '@/lib/browser/call-action';
import { parseMoney, toDecimalString } from '@/lib/money';
import type { PayoutRules } from '@/lib/payouts/rules';

const feeKinds = ['bank', 'paypal', 'agreement'] as const;

/** Edits the rules of payouts. Amounts are entered in USD. */
export function PayoutRulesForm({ rules, version }: { rules: PayoutRules; version: number }) {
  const router = useRouter();
  const { pending, error, fields, formProps } = useApiForm({
    submit: async (data) => {
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
      inputMode="decimal"
      autoComplete="off"
      trailing="USD"
      defaultValue={toDecimalString(cents)}
      error={fields[name]}
      hint={hint}
    />
  );
  return (
    <Card aria-label="Payout rules">
      <form {...formProps} data-unmarked="">
        <CardBody className="grid gap-6">
          {error ? <Alert tone="error">{error}</Alert> : null}
          <p className="text-muted text-sm">New rules apply to new requests and approvals.</p>
          <fieldset className="grid content-start gap-4 sm:grid-cols-2">
            <legend className="mb-3 font-medium text-ink text-sm">Requests and approvals</legend>
            {amount('minimumCents', 'Minimum', rules.minimumCents, 'The smallest amount of a request.')}
            {amount(
              'approvalLimitCents',
              'Approval by one person up to',
              rules.approvalLimitCents,
              'Larger payouts need two. Raising it needs the approval of a second person.',
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
        </CardBody>
        <CardFooter>
          <Button type="submit" variant="primary" pending={pending}>
            Save rules
          </Button>
        </CardFooter>
      </form>
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
