'use client';

import { useRouter } from 'next/navigation';
import { useRef, useState } from 'react';
import { toast } from 'sonner';
import { getPasskey } from '@/components/auth/passkey';
import { DialogForm } from '@/components/form/dialog-form';
import { getFormText, SelectField, TextField } from '@/components/form/fields';
import { type FieldErrors, useApiForm } from '@/components/form/use-api-form';
import { isMethodChoice, type MethodChoice, MethodFields, readMethod } from '@/components/payouts/method-fields';
import { PayoutMethodLabel } from '@/components/payouts/payout-labels';
import { CurrentPasswordField, passwordErrors } from '@/components/security/password-card';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { ConfirmAction } from '@/components/ui/confirm-action';
import { Dialog } from '@/components/ui/dialog';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import { TimeAgo } from '@/components/ui/time-ago';
import type { PayoutMethodKind } from '@/db/schema/payouts';
import { beginPasskeyConfirmationAction } from '@/lib/auth/passkey-actions';
import { apiFetch, callAction, redirectIfSignedOut } from '@/lib/browser/api-client';
import { formatUsd } from '@/lib/money';
import { savePayoutMethodAction } from '@/lib/payouts/actions';
import type { PayoutMethodView } from '@/lib/payouts/methods/show';

type MethodFormProps = {
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

/** Renders the form of a payout method: the details, and the proof that the account's owner enters them. */
function MethodForm({ email, factors, feeCents, countryCodes, onDone }: MethodFormProps) {
  const router = useRouter();
  const [choice, setChoice] = useState<MethodChoice>('iban');
  const usesPasskey = useRef(false);
  const form = useApiForm<void>({
    validate: (data): FieldErrors => (usesPasskey.current ? {} : passwordErrors(data)),
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
        hint={fee > 0 ? `Fee: ${formatUsd(fee)} of each payout.` : 'No fee.'}
        className="col-span-full"
        onChange={({ target }) => {
          if (isMethodChoice(target.value)) setChoice(target.value);
          form.reset();
        }}
      />
      <MethodFields key={choice} choice={choice} errors={form.fields} countryCodes={countryCodes} />
      <fieldset className="col-span-full mt-1 grid gap-4 border-line border-t pt-4 sm:grid-cols-2">
        <legend className="sr-only">Confirm that it’s you</legend>
        <CurrentPasswordField email={email} error={form.fields.password} />
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

type PayoutMethodCardProps = Omit<MethodFormProps, 'onDone'> & {
  method: PayoutMethodView;
  /** Whether the method was set lately and no payout is sent to it yet. */
  isResting: boolean;
};

/** Renders the current payout method, with the dialogs that change and remove it. */
export function PayoutMethodCard({ method, isResting, ...form }: PayoutMethodCardProps) {
  const { kind, lastFour, usableAt, createdAt } = method;
  if (kind === null)
    return (
      <Card aria-label="Payout method">
        <CardHeader title="Payout method" />
        <EmptyState
          icon={<Icon name="landmark" />}
          title="No payout method"
          action={<MethodDialog {...form} label="Add payout method" isFirst />}
        >
          Add a bank account, a PayPal account or an agreement to request payouts.
        </EmptyState>
      </Card>
    );
  return (
    <Card aria-label="Payout method">
      <CardHeader
        title="Payout method"
        actions={
          <>
            <RemoveMethod />
            <MethodDialog {...form} label="Change" />
          </>
        }
      />
      <CardBody className="grid gap-3">
        <p className="flex flex-wrap items-baseline justify-between gap-x-4 text-sm">
          <span className="font-medium text-ink">
            <PayoutMethodLabel kind={kind} lastFour={lastFour ?? ''} />
          </span>
          {createdAt ? (
            <span className="text-muted text-xs">
              Added <TimeAgo at={createdAt} />
            </span>
          ) : null}
        </p>
        {isResting && usableAt ? (
          <Alert tone="warning">
            This method is new. Payouts to it are sent after <RestEnd at={usableAt} />, so that you notice a change that
            you didn’t make.
          </Alert>
        ) : null}
      </CardBody>
    </Card>
  );
}

const time = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

function RestEnd({ at }: { at: string }) {
  return <time dateTime={at}>{time.format(new Date(at))} UTC</time>;
}

type MethodDialogProps = Omit<MethodFormProps, 'onDone'> & { label: string; isFirst?: boolean };

function MethodDialog({ label, isFirst = false, ...form }: MethodDialogProps) {
  const [open, setOpen] = useState(false);
  return (
    <Dialog
      trigger={
        <Button size={isFirst ? 'md' : 'sm'} variant={isFirst ? 'primary' : 'secondary'}>
          {label}
        </Button>
      }
      open={open}
      onOpenChange={setOpen}
      title={isFirst ? 'Add a payout method' : 'Change the payout method'}
      description="No payout is sent to a new method within the first 72 hours, and we email you about the change. A requested payout is not sent to another method: withdraw it, and request it again."
      size="md"
    >
      <MethodForm {...form} onDone={() => setOpen(false)} />
    </Dialog>
  );
}

function RemoveMethod() {
  return (
    <ConfirmAction
      trigger={<Button size="sm">Remove</Button>}
      title="Remove the payout method?"
      description="You can’t request payouts until you add another one. A requested payout is not sent to a removed method; an approved one is."
      confirmLabel="Remove method"
      action={() => apiFetch('/api/seller/payout-method', { method: 'DELETE' }).catch(redirectIfSignedOut)}
      done="Payout method removed."
    />
  );
}
