'use client';

import { usePathname, useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { useServiceTest } from '@/app/(admin)/dashboard/features/_components/service-test';
import { SelectField, TextareaField, TextField } from '@/components/form/fields';
import { useOperation } from '@/components/form/use-operation';
import { Alert } from '@/components/ui/alert';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardFooter, CardHeader } from '@/components/ui/card';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Checkbox } from '@/components/ui/controls';
import { FieldError } from '@/components/ui/field';
import { FileDrop } from '@/components/ui/file-drop';
import { Icon } from '@/components/ui/icon';
import { Money } from '@/components/ui/money';
import type { PaymentProviderName, ProviderMode } from '@/db/schema/topups';
import { apiFetch } from '@/lib/browser/api-client';
import { testConnectionAction } from '@/lib/payments/actions';
import { secretMask } from '@/lib/payments/config/fields';
import type { TestCredit } from '@/lib/payments/reversals/reverse-test-credits';
import { type ModeForm, modeNames, type ProviderField, providerScreens } from './provider-fields';
import { useProviderForm } from './use-provider-form';

type ProviderFormProps = {
  provider: PaymentProviderName;
  activeMode: ProviderMode | null;
  modes: readonly ProviderMode[];
  /** The mode selected in the URL, with its stored values. */
  stored: ModeForm;
  /** Test payments in wallets, which going live removes. Empty if live mode is active. */
  testCredits: readonly TestCredit[];
};

/**
 * Edits a provider's settings. Each mode has its own values. Saving activates the mode. Requires the mode as React key.
 */
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
                ? 'Save your changes before switching to the other mode.'
                : mode === activeMode
                  ? `Active: new top-ups are made in ${name} mode.`
                  : 'Each mode has its own values.'
            }
          />
          {form.isOtherMode ? (
            <Checkbox
              label={`Use ${name} mode for new top-ups after saving`}
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
        description={`${tab} credited these test payments to wallets. Going live removes them. If a wallet has spent test money, you can’t go live.`}
        confirmLabel="Remove and go live"
        onConfirm={form.goLive}
      >
        <TestCreditList credits={testCredits} sumCents={testCreditsCents} />
      </ConfirmDialog>
    </Card>
  );
}

/** Lists the affected wallets with the amount that each loses. */
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

type TestConnectionProps = { provider: PaymentProviderName; mode: ProviderMode; isDirty: boolean };

/** Tests whether the provider accepts the saved credentials. */
function TestConnection({ provider, mode, isDirty }: TestConnectionProps) {
  const { pending, test, outcome } = useServiceTest(() => testConnectionAction({ provider, mode }));
  return (
    <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-2">
      <Button
        pending={pending}
        disabled={isDirty}
        icon={<Icon name="plug-zap" />}
        title={isDirty ? 'Save your changes first. The test uses the saved settings.' : undefined}
        onClick={test}
      >
        Test connection
      </Button>
      <p role="status" className="min-w-0 text-sm">
        {isDirty ? null : outcome}
      </p>
    </div>
  );
}

type ConfigFieldProps = {
  field: ProviderField;
  value: string;
  warning: string | undefined;
  error: string | undefined;
  onChange: (value: string) => void;
};

/** Renders a form field of a provider. A warning below it does not prevent saving. */
function ConfigField({ field, value, warning, error, onChange }: ConfigFieldProps) {
  const { name, label, kind, placeholder } = field;
  const isStored = kind === 'secret' && value === secretMask;
  const hint = isStored ? 'A value is stored. Enter a new one to replace it, or clear it to remove it.' : field.hint;
  const shared = {
    name,
    label,
    placeholder,
    value,
    error,
    spellCheck: false,
    autoCapitalize: 'none',
    hint: warning ? (
      <span className="flex items-start gap-1.5 text-yellow-ink">
        <Icon name="triangle-alert" className="mt-0.5 size-3" />
        {warning}
      </span>
    ) : (
      hint
    ),
  };
  if (kind === 'area') {
    return (
      <TextareaField
        {...shared}
        autoComplete="off"
        rows={4}
        className="[&_textarea]:font-mono [&_textarea]:text-xs"
        onChange={(event) => onChange(event.target.value)}
      />
    );
  }
  return (
    <TextField
      {...shared}
      type={kind === 'secret' ? 'password' : 'text'}
      autoComplete={kind === 'secret' ? 'new-password' : 'off'}
      // Selects the whole mask, because a partly edited mask would become part of an invalid key.
      onFocus={(event) => isStored && event.target.select()}
      onChange={(event) => onChange(isStored ? event.target.value.replaceAll('*', '') : event.target.value)}
    />
  );
}

/** Uploads the merchant's private key for a mode, and displays whether one is stored. */
export function PrivateKey({ mode, isStored }: { mode: ProviderMode; isStored: boolean }) {
  const [file, setFile] = useState<File | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [round, setRound] = useState(0);
  const { pending, run } = useOperation({
    fallback: () => '',
    onError: (message) => setError(`Private key upload failed. ${message}`.trim()),
  });

  const choose = (chosen: File | null) => {
    const isPem = !chosen || /\.pem$/i.test(chosen.name);
    setFile(isPem ? chosen : null);
    setError(isPem ? null : 'The private key must be a .pem file.');
  };

  const send = async () => {
    if (!file) return;
    setError(null);
    const body = new FormData();
    body.append('private_key', file);
    await run(async () => {
      await apiFetch(`/api/admin/payments/wechat/private-key?mode=${mode}`, { method: 'POST', body });
      toast.success('Private key uploaded.');
      setFile(null);
      setRound(round + 1);
    });
  };

  return (
    <Card>
      <CardHeader
        title="Private key"
        description="Signs our calls to WeChat Pay."
        actions={isStored ? <Badge tone="green">Stored</Badge> : <Badge tone="yellow">Missing</Badge>}
      />
      <CardBody className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <FileDrop
          key={round}
          prompt={isStored ? 'Choose a .pem file to replace it, or drop it here' : 'Choose a .pem file or drop it here'}
          limits="apiclient_key.pem, RSA, without a passphrase"
          accept=".pem"
          aria-label="Private key file"
          disabled={pending}
          onFile={choose}
        />
        {error ? <FieldError>{error}</FieldError> : null}
        {file ? (
          <Button className="justify-self-start" pending={pending} icon={<Icon name="upload" />} onClick={send}>
            Upload private key
          </Button>
        ) : null}
      </CardBody>
    </Card>
  );
}
