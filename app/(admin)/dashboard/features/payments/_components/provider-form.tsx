'use client';

import { usePathname, useRouter } from 'next/navigation';
import { SelectField } from '@/components/form/select-field';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardFooter, CardHeader } from '@/components/ui/card';
import { Checkbox } from '@/components/ui/checkbox';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Money } from '@/components/ui/money';
import type { PaymentProviderName, ProviderMode } from '@/db/schema/topups';
import type { TestCredit } from '@/lib/payments/reversals/reverse-test-credits';
import { ConfigField } from './config-field';
import type { ModeForm } from './config-values';
import { modeNames, providerScreens } from './provider-fields';
import { TestConnection } from './test-connection';
import { useProviderForm } from './use-provider-form';

type ProviderFormProps = {
  provider: PaymentProviderName;
  activeMode: ProviderMode | null;
  modes: readonly ProviderMode[];
  /** The mode that the address shows, and what is stored for it. */
  stored: ModeForm;
  /** Test payments in wallets, which going live removes; empty when live mode is in force. */
  testCredits: readonly TestCredit[];
};

/** A provider's settings. Choosing a mode shows its own values; saving puts it in force. Give it the mode as key. */
export function ProviderForm({ provider, activeMode, modes, stored, testCredits }: ProviderFormProps) {
  const router = useRouter();
  const pathname = usePathname();
  const { mode } = stored;
  const testCreditsCents = testCredits.reduce((sum, { amountCents }) => sum + amountCents, 0);
  const form = useProviderForm({ provider, activeMode, mode, stored, testCreditsCents });
  const { tab, fields, source } = providerScreens[provider];
  const name = modeNames[mode];
  const show = (next: string) => router.push(`${pathname}?tab=${provider}&mode=${next}`, { scroll: false });

  return (
    <Card>
      <CardHeader title={`${tab} settings`} description={source} />
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (form.canSave && !form.pending) void form.save();
        }}
      >
        <CardBody className="grid grid-cols-[minmax(0,1fr)] gap-5">
          {form.error === null ? null : (
            <Alert tone="error" title="Save failed.">
              {form.error}
            </Alert>
          )}
          <SelectField
            label="Mode"
            name="mode"
            value={mode}
            options={modes.map((value) => ({ value, label: modeNames[value] }))}
            disabled={form.pending || form.isDirty}
            onChange={(event) => show(event.target.value)}
            hint={
              form.isDirty
                ? 'Save your changes before you look at the other mode.'
                : mode === activeMode
                  ? `In force: new top-ups are made in ${name} mode.`
                  : 'Each mode keeps values of its own.'
            }
          />
          {form.isOtherMode ? (
            <Checkbox
              label={`Use ${name} mode for new top-ups as soon as this is saved`}
              checked={form.putInForce}
              onChange={(event) => form.setPutInForce(event.target.checked)}
            />
          ) : null}
          {fields.map((field) => (
            <ConfigField
              key={field.name}
              field={field}
              value={form.values[field.name] ?? ''}
              warning={form.warnings[field.name]}
              error={form.fields[field.name]}
              onChange={(value) => form.change(field.name, value)}
            />
          ))}
        </CardBody>
        <CardFooter className="justify-between">
          <TestConnection key={mode} provider={provider} mode={mode} isDirty={form.isDirty} />
          <Button type="submit" variant="primary" pending={form.pending} disabled={!form.canSave}>
            Save
          </Button>
        </CardFooter>
      </form>
      <ConfirmDialog
        open={form.confirming}
        onOpenChange={form.setConfirming}
        title={`Remove test money and take ${tab} live?`}
        description={`${tab} credited these test payments to wallets. Going live removes them. Wallets whose test money was spent stop the switch.`}
        confirmLabel="Remove and go live"
        onConfirm={form.goLive}
      >
        <TestCreditList credits={testCredits} sumCents={testCreditsCents} />
      </ConfirmDialog>
    </Card>
  );
}

/** Each wallet with what it loses. */
function TestCreditList({ credits, sumCents }: { credits: readonly TestCredit[]; sumCents: number }) {
  const byEmail = new Map<string, number>();
  for (const { email, amountCents } of credits) byEmail.set(email, (byEmail.get(email) ?? 0) + amountCents);
  return (
    <ul aria-label="Test money in wallets" className="grid max-h-60 gap-1 overflow-y-auto text-sm">
      {[...byEmail].map(([email, amountCents]) => (
        <li key={email} className="flex justify-between gap-4">
          <span className="wrap-anywhere">{email}</span>
          <Money amountMinor={amountCents} />
        </li>
      ))}
      <li className="flex justify-between gap-4 border-line border-t pt-1 font-medium text-ink">
        <span>Total</span>
        <Money amountMinor={sumCents} />
      </li>
    </ul>
  );
}
