'use client';

import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { DialogForm } from '@/components/form/dialog-form';
import { getFormText, SelectField, TextareaField, TextField } from '@/components/form/fields';
import { type FieldErrors, useApiForm } from '@/components/form/use-api-form';
import { Alert } from '@/components/ui/alert';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { ConfirmAction } from '@/components/ui/confirm-action';
import { Checkbox } from '@/components/ui/controls';
import { CopyButton } from '@/components/ui/copy-button';
import { Dialog, DialogBody, DialogFooter } from '@/components/ui/dialog';
import { FieldError } from '@/components/ui/field';
import { TimeAgo } from '@/components/ui/time-ago';
import { getAmountError } from '@/components/wallet/amount-field';
import { apiFetch, deleteFailure } from '@/lib/browser/api-client';
import type { TokenView } from '@/lib/developers/tokens/schemas';
import type { ScopeChoice, TokenOverview } from '@/lib/developers/tokens/tokens';
import { formatUsd, parseMoney } from '@/lib/money';
import { actionFailure } from './security-call';

type CreateTokenDialogProps = { scopes: ScopeChoice[] };

/** Creates a token and shows it once. Only `read` is selected at first: a scope that moves money is a choice. */
function CreateTokenDialog({ scopes }: CreateTokenDialogProps) {
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
        type="number"
        min={0}
        step="0.01"
        currency="USD"
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
  const amountError =
    getAmountError(limit, 'the limit') ?? (limit.trim().startsWith('-') ? 'Enter 0 or more.' : undefined);
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

/** Renders the user's API tokens, each with a Revoke button, and the dialog that creates one. */
export function ApiTokensCard({ tokens, scopes, isOn }: TokenOverview) {
  return (
    <Card aria-labelledby="api-tokens">
      <CardHeader
        title={
          <span id="api-tokens" className="scroll-mt-20">
            API tokens
          </span>
        }
        description={
          <>
            Keys for your own programs. A token does only what its scopes allow, and never more than you can.{' '}
            <Link href="/developers" className="text-accent-ink underline">
              API guide
            </Link>
          </>
        }
        actions={isOn ? <CreateTokenDialog scopes={scopes} /> : null}
      />
      {isOn ? null : (
        <CardBody>
          <Alert tone="warning" title="API tokens are turned off">
            Requests with a token are refused until an admin turns them on again. You can still revoke tokens.
          </Alert>
        </CardBody>
      )}
      {tokens.length > 0 ? (
        <ul aria-label="API tokens" className="divide-y divide-line">
          {tokens.map((token) => (
            <TokenRow key={token.id} token={token} />
          ))}
        </ul>
      ) : (
        <CardBody>
          <p className="text-muted text-sm">You have no API tokens.</p>
        </CardBody>
      )}
    </Card>
  );
}

function TokenRow({ token }: { token: TokenView }) {
  const { name, scopes, lastFour, expiresAt, lastUsedAt, lastUsedIp, allowedIps, dailyLimitCents, member } = token;
  const isExpired = expiresAt !== null && new Date(expiresAt) <= new Date();
  return (
    <li className="flex items-start gap-3 px-4 py-3 sm:px-5">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium text-ink text-sm">
          <span className="wrap-anywhere line-clamp-2">{name}</span>
          <code className="text-muted text-xs">lm_…{lastFour}</code>
          {isExpired ? <Badge tone="red">Expired</Badge> : null}
        </p>
        <p className="wrap-anywhere mt-0.5 text-muted text-xs">{scopes.join(', ')}</p>
        {member ? (
          <p className="wrap-anywhere mt-0.5 text-muted text-xs">Acts for {member.name || member.email}</p>
        ) : null}
        <p className="mt-0.5 flex flex-wrap gap-x-3 text-muted text-xs">
          <span>
            {lastUsedAt ? (
              <>
                Last used <TimeAgo at={lastUsedAt} />
                {lastUsedIp ? ` from ${lastUsedIp}` : ''}
              </>
            ) : (
              'Never used'
            )}
          </span>
          <span>
            {expiresAt ? (
              <>
                {isExpired ? 'Expired' : 'Expires'} <TimeAgo at={expiresAt} />
              </>
            ) : (
              'No end date'
            )}
          </span>
          {dailyLimitCents === null ? null : (
            <span>
              {formatUsd(token.spentTodayCents)} of {formatUsd(dailyLimitCents)} spent today
            </span>
          )}
          {allowedIps.length > 0 ? <span className="wrap-anywhere">From {allowedIps.join(', ')}</span> : null}
        </p>
      </div>
      <ConfirmAction
        trigger={
          <Button size="sm" aria-label={`Revoke token: ${name}`}>
            Revoke
          </Button>
        }
        title={`Revoke the token “${name}”?`}
        description="Programs that use it are refused from their next request. This cannot be undone."
        confirmLabel="Revoke token"
        action={() => apiFetch(`/api/tokens/${token.id}`, { method: 'DELETE' }).catch(deleteFailure)}
        done={`${name} revoked.`}
      />
    </li>
  );
}
