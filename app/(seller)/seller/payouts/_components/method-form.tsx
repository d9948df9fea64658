'use client';

import { useRouter } from 'next/navigation';
import { useRef, useState } from 'react';
import { toast } from 'sonner';
import { savePayoutMethodAction } from '@/app/(seller)/seller/payouts/actions';
import { getPasskey } from '@/components/auth/prompt-passkey';
import { DialogForm } from '@/components/form/dialog-form';
import { getFormText } from '@/components/form/form-text';
import { PasswordField } from '@/components/form/password-field';
import { SelectField } from '@/components/form/select-field';
import { TextField } from '@/components/form/text-field';
import { type FieldErrors, useApiForm } from '@/components/form/use-api-form';
import { isMethodChoice, type MethodChoice, MethodFields, readMethod } from '@/components/payouts/method-fields';
import { AccountName } from '@/components/security/account-name';
import { Button } from '@/components/ui/button';
import type { PayoutMethodKind } from '@/db/schema/payouts';
import { beginPasskeyConfirmationAction } from '@/lib/auth/passkey-actions';
import { callAction } from '@/lib/browser/call-action';
import { redirectIfSignedOut } from '@/lib/browser/redirect-if-signed-out';
import { formatMoney, walletCurrency } from '@/lib/money';

export type MethodFormProps = {
  email: string;
  factors: { hasSecondFactor: boolean; hasPasskeys: boolean };
  /** The fees by the kind of the method. */
  feeCents: Record<PayoutMethodKind, number>;
  /** The countries of account holders: ISO codes, separated by spaces. */
  countryCodes: string;
  onDone: () => void;
};

const choices: Record<MethodChoice, { label: string; kind: PayoutMethodKind }> = {
  iban: { label: 'Bank account with IBAN', kind: 'bank' },
  account: { label: 'US bank account', kind: 'bank' },
  paypal: { label: 'PayPal', kind: 'paypal' },
  agreement: { label: 'By agreement', kind: 'agreement' },
};

/** The form of a payout method: the details, and the proof that the account's owner enters them. */
export function MethodForm({ email, factors, feeCents, countryCodes, onDone }: MethodFormProps) {
  const router = useRouter();
  const [choice, setChoice] = useState<MethodChoice>('iban');
  const usesPasskey = useRef(false);
  const form = useApiForm<void>({
    validate: (data): FieldErrors =>
      !usesPasskey.current && getFormText(data, 'password') === '' ? { password: 'Enter your password.' } : {},
    submit: async (data) => {
      const isPasskey = usesPasskey.current;
      usesPasskey.current = false;
      const method = readMethod(choice, data);
      const proof = isPasskey
        ? { passkey: await askForPasskey() }
        : { password: getFormText(data, 'password'), code: getFormText(data, 'code') };
      await callAction(() => savePayoutMethodAction({ method, ...proof })).catch(redirectIfSignedOut);
    },
    onSuccess: () => {
      toast.success('Payout method saved.');
      onDone();
      router.refresh();
    },
    fallback: (status) =>
      status === 0 ? 'No connection to the server. Try again.' : `The request failed (HTTP ${status}). Try again.`,
  });
  const fee = feeCents[choices[choice].kind];
  return (
    <DialogForm form={form} submitLabel="Save method" className="gap-4 sm:grid-cols-2">
      <SelectField
        name="choice"
        label="Method"
        required
        value={choice}
        options={Object.entries(choices).map(([value, { label }]) => ({ value, label }))}
        hint={fee > 0 ? `Fee: ${formatMoney(fee, walletCurrency)} of each payout.` : 'No fee.'}
        className="col-span-full"
        onChange={({ target }) => {
          if (isMethodChoice(target.value)) setChoice(target.value);
          form.reset();
        }}
      />
      <MethodFields key={choice} choice={choice} errors={form.fields} countryCodes={countryCodes} />
      <fieldset className="col-span-full mt-1 grid gap-4 border-line border-t pt-4 sm:grid-cols-2">
        <legend className="sr-only">Confirm that it’s you</legend>
        <AccountName email={email} />
        <PasswordField
          name="password"
          label="Your password"
          required
          autoComplete="current-password"
          error={form.fields.password}
        />
        {factors.hasSecondFactor ? (
          <TextField
            name="code"
            label="Code"
            autoComplete="one-time-code"
            hint="From your authenticator app, or a recovery code."
            error={form.fields.code}
          />
        ) : null}
        {factors.hasPasskeys ? (
          <Button
            className="col-span-full"
            disabled={form.pending}
            onClick={({ currentTarget }) => {
              usesPasskey.current = true;
              currentTarget.form?.requestSubmit();
            }}
          >
            Save with a passkey instead
          </Button>
        ) : null}
      </fieldset>
    </DialogForm>
  );
}

/** Asks the browser for a passkey of the user. */
async function askForPasskey() {
  const { clientExtensionResults: _, ...response } = await getPasskey(
    await callAction(() => beginPasskeyConfirmationAction({})),
  );
  return { ...response, clientExtensionResults: {} };
}
