'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { getAmountError } from '@/components/form/amount-error';
import { DialogForm } from '@/components/form/dialog-form';
import { getFormText } from '@/components/form/form-text';
import { SelectField } from '@/components/form/select-field';
import { TextField } from '@/components/form/text-field';
import { TextareaField } from '@/components/form/textarea-field';
import { type FieldErrors, useApiForm } from '@/components/form/use-api-form';
import { Alert } from '@/components/ui/alert';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Checkbox } from '@/components/ui/checkbox';
import { CopyButton } from '@/components/ui/copy-button';
import { Dialog, DialogBody, DialogFooter } from '@/components/ui/dialog';
import { FieldError } from '@/components/ui/field';
import { apiFetch } from '@/lib/browser/api-client';
import type { ScopeChoice } from '@/lib/developers/tokens/overview';
import { parseMoney } from '@/lib/money';
import { actionFailure } from './security-call';

type CreateTokenDialogProps = { scopes: ScopeChoice[] };

/** Creates a token and shows it once. Only `read` is selected at first: a scope that moves money is a choice. */
export function CreateTokenDialog({ scopes }: CreateTokenDialogProps) {
  const router = useRouter();
  const [isOpen, setIsOpen] = useState(false);
  const [token, setToken] = useState<string | null>(null);
  const setOpen = (open: boolean) => {
    setIsOpen(open);
    if (!open && token) router.refresh();
    setToken(null);
  };
  return (
    <Dialog
      open={isOpen}
      onOpenChange={setOpen}
      trigger={<Button size="sm">Create token</Button>}
      title={token ? 'Copy your token' : 'Create an API token'}
      description={token ? undefined : 'Your programs send it as “Authorization: Bearer”.'}
    >
      {token ? (
        <>
          <DialogBody className="grid content-start gap-4">
            <Alert tone="warning" title="It won’t be shown again.">
              Store it as you would store a password.
            </Alert>
            <div className="flex items-start gap-2">
              <code
                data-testid="api-token"
                className="wrap-anywhere min-w-0 flex-1 rounded-md bg-sunken px-3 py-2 text-ink text-xs"
              >
                {token}
              </code>
              <CopyButton text={token} label="Copy token" />
            </div>
          </DialogBody>
          <DialogFooter>
            <Button variant="primary" onClick={() => setOpen(false)}>
              Done
            </Button>
          </DialogFooter>
        </>
      ) : (
        <TokenForm scopes={scopes} onCreated={setToken} />
      )}
    </Dialog>
  );
}

const periods = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'One year' },
  { value: '', label: 'No end date' },
];

function TokenForm({ scopes, onCreated }: CreateTokenDialogProps & { onCreated: (token: string) => void }) {
  const form = useApiForm({
    validate,
    submit: (data) => apiFetch<{ token: string }>('/api/tokens', { method: 'POST', body: toBody(data) }),
    onSuccess: ({ token }) => onCreated(token),
    fallback: actionFailure,
  });
  const errorOf = (field: string) => Object.entries(form.fields).find(([name]) => name.split('.')[0] === field)?.[1];
  return (
    <DialogForm form={form} submitLabel="Create token">
      <TextField
        name="name"
        label="Name"
        required
        maxLength={60}
        autoComplete="off"
        placeholder="Reporting script"
        error={errorOf('name')}
      />
      <Scopes legend="Scopes" scopes={scopes.filter((scope) => !scope.isPermission)} error={errorOf('scopes')} />
      {scopes.some((scope) => scope.isPermission) ? (
        <Scopes legend="Permissions of staff" scopes={scopes.filter((scope) => scope.isPermission)} />
      ) : null}
      <SelectField name="period" label="Valid for" defaultValue="90" options={periods} error={errorOf('expiresAt')} />
      <TextField
        name="dailyLimit"
        label="Daily spending limit in USD"
        inputMode="decimal"
        autoComplete="off"
        placeholder="100.00"
        hint="The most its orders may cost in a day (UTC). Leave empty for no limit."
        error={errorOf('dailyLimit') ?? errorOf('dailyLimitCents')}
      />
      <TextareaField
        name="allowedIps"
        label="Allowed IP addresses"
        rows={2}
        spellCheck={false}
        hint="One address or range per line, such as 203.0.113.0/24. Leave empty to allow all."
        error={errorOf('allowedIps')}
      />
    </DialogForm>
  );
}

type ScopesProps = { legend: string; scopes: ScopeChoice[]; error?: string | undefined };

function Scopes({ legend, scopes, error }: ScopesProps) {
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 font-medium text-ink text-sm">{legend}</legend>
      {scopes.map(({ name, description, isMoney }) => (
        <Checkbox
          key={name}
          name="scopes"
          value={name}
          defaultChecked={name === 'read'}
          label={
            <>
              <span className="flex flex-wrap items-center gap-x-2 font-medium text-ink text-sm">
                {name}
                {isMoney ? <Badge tone="yellow">Money</Badge> : null}
              </span>
              <span className="block text-muted text-xs leading-5">{description}</span>
            </>
          }
        />
      ))}
      {error ? <FieldError>{error}</FieldError> : null}
    </fieldset>
  );
}

function validate(data: FormData): FieldErrors {
  const limit = getFormText(data, 'dailyLimit');
  const amountError = getAmountError(limit) ?? (limit.trim().startsWith('-') ? 'Enter 0 or more.' : undefined);
  return {
    ...(getFormText(data, 'name').trim() === '' && { name: 'Enter a name.' }),
    ...(!data.has('scopes') && { scopes: 'Select at least one scope.' }),
    ...(amountError && { dailyLimit: amountError }),
  };
}

function toBody(data: FormData) {
  const days = Number(getFormText(data, 'period'));
  const lines = getFormText(data, 'allowedIps').split(/[\s,]+/);
  return {
    name: getFormText(data, 'name'),
    scopes: data.getAll('scopes'),
    expiresAt: days > 0 ? new Date(Date.now() + days * 86_400_000).toISOString() : null,
    allowedIps: lines.filter((line) => line !== ''),
    dailyLimitCents: parseMoney(getFormText(data, 'dailyLimit')),
  };
}
