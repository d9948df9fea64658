'use client';

import { SettingsCard } from '@/components/form/card-form';
import { FormDialog } from '@/components/form/dialog-form';
import { getFormText } from '@/components/form/fields';
import { relNames } from '@/components/orders/brief-card';
import { chooseAccount } from '@/components/shell/account-dialogs';
import { Button, IconButton } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { ConfirmAction } from '@/components/ui/confirm-action';
import { Checkbox } from '@/components/ui/controls';
import { Icon } from '@/components/ui/icon';
import { linkRels } from '@/db/enums';
import type { AccountPolicy } from '@/db/schema/accounts';
import { apiFetch, deleteFailure } from '@/lib/browser/api-client';
import { checkLimit, LimitField, readLimit } from './member-fields';

type AccountProps = { account: { id: string; name: string; version: number } };

/** Renders the card with the name of a team. */
export function AccountName({ account: { id, name, version } }: AccountProps) {
  return (
    <SettingsCard
      title="Name"
      description="Members see it in the menu, in notifications and in emails."
      submitLabel="Save name"
      failure="The name could not be saved. Try again."
      version={version}
      submit={(data, base) =>
        apiFetch(`/api/user/accounts/${id}`, {
          method: 'PATCH',
          body: { name: getFormText(data, 'name').trim(), version: base },
        })
      }
      fields={[
        {
          name: 'name',
          label: 'Account name',
          required: true,
          maxLength: 100,
          defaultValue: name,
          autoComplete: 'off',
        },
      ]}
    />
  );
}

type PolicyProps = { accountId: string; policy: AccountPolicy; niches: readonly string[] };

/** Renders the card with what orders of the account must keep to. */
export function PolicyCard({ accountId, policy, niches }: PolicyProps) {
  const { forbiddenNiches = [], approvalAboveCents = null } = policy;
  // A niche may have been removed since.
  const listed = [...forbiddenNiches.filter((name) => !niches.includes(name)), ...niches];
  return (
    <SettingsCard
      title="Policy"
      description="Orders that break it are refused, for every member and API token. Empty fields have no effect."
      formClassName="gap-4 sm:grid-cols-2"
      submitLabel="Save policy"
      failure="The policy could not be saved. Try again."
      validate={(data) => checkLimit(data, 'approvalAbove')}
      submit={(data) => apiFetch(`/api/user/accounts/${accountId}/policy`, { method: 'PUT', body: readPolicy(data) })}
      fields={[
        {
          name: 'minDr',
          label: 'Minimum Domain Rating',
          type: 'number',
          min: 0,
          max: 100,
          defaultValue: policy.minDr === undefined ? '' : String(policy.minDr),
        },
        {
          name: 'minTraffic',
          label: 'Minimum monthly traffic',
          type: 'number',
          min: 0,
          defaultValue: policy.minTraffic === undefined ? '' : String(policy.minTraffic),
        },
        {
          name: 'rel',
          label: 'Link type',
          options: linkRels.map((value) => ({ value, label: relNames[value] ?? value })),
          defaultValue: policy.rel ?? 'any',
        },
        {
          name: 'approvalAbove',
          label: 'Approval above',
          render: ({ name, label, error }) => (
            <LimitField name={name} label={label} cents={approvalAboveCents} errors={error ? { [name]: error } : {}}>
              Orders with a higher total, including tax, wait for approval.
            </LimitField>
          ),
        },
      ]}
    >
      {(errors) => (
        <fieldset className="min-w-0 sm:col-span-2">
          <legend className="mb-1.5 font-medium text-ink text-sm">Forbidden niches</legend>
          <ul className="grid max-h-48 gap-x-4 gap-y-1 overflow-y-auto rounded-md border border-line p-3 text-sm sm:grid-cols-2 lg:grid-cols-3">
            {listed.map((name) => (
              <li key={name}>
                <Checkbox
                  name="forbiddenNiches"
                  value={name}
                  defaultChecked={forbiddenNiches.includes(name)}
                  label={name}
                />
              </li>
            ))}
          </ul>
          {errors.forbiddenNiches ? <p className="mt-1.5 text-red-ink text-sm">{errors.forbiddenNiches}</p> : null}
        </fieldset>
      )}
    </SettingsCard>
  );
}

/** Reads the whole policy; what is empty is left out. */
function readPolicy(data: FormData): AccountPolicy {
  const numberOf = (name: string) => {
    const text = getFormText(data, name).trim();
    return text === '' ? undefined : Number(text);
  };
  const niches = data.getAll('forbiddenNiches').map(String);
  const rel = linkRels.find((value) => value === getFormText(data, 'rel'));
  const approvalAboveCents = readLimit(data, 'approvalAbove');
  return {
    minDr: numberOf('minDr'),
    minTraffic: numberOf('minTraffic'),
    ...(niches.length > 0 && { forbiddenNiches: niches }),
    ...(rel !== undefined && rel !== 'any' && { rel }),
    ...(approvalAboveCents !== null && { approvalAboveCents }),
  };
}

type BudgetProps = { project: { id: string; domain: string; budgetCents: number | null } };

/** Renders the button that opens the monthly budget of a project. */
export function EditBudget({ project: { id, domain, budgetCents } }: BudgetProps) {
  return (
    <FormDialog
      trigger={
        <IconButton label={`Edit the budget of ${domain}`}>
          <Icon name="pencil" />
        </IconButton>
      }
      size="sm"
      title={`Budget of ${domain}`}
      description="Orders above it wait for approval."
      submitLabel="Save budget"
      validate={(data) => checkLimit(data, 'monthly')}
      submit={(data) =>
        apiFetch(`/api/user/projects/${id}/budget`, {
          method: 'PUT',
          body: { monthlyCents: readLimit(data, 'monthly') },
        })
      }
      done={`Budget of ${domain} saved.`}
      fallback={(status) => `Save failed (HTTP ${status})`}
    >
      {(errors) => (
        <LimitField name="monthly" label="Monthly budget" cents={budgetCents} errors={errors}>
          The most this project’s orders may cost in a month (UTC), with tax. Leave empty for no budget.
        </LimitField>
      )}
    </FormDialog>
  );
}

/** Renders the card that deletes a team, and then opens the personal account of the user. */
export function DeleteAccount({ account: { id, name }, userId }: AccountProps & { userId: string }) {
  return (
    <Card aria-labelledby="delete-account">
      <CardHeader
        title={<span id="delete-account">Delete the account</span>}
        description="An account with money in its wallet, open payments, or orders that aren’t finished can’t be deleted."
      />
      <CardBody>
        <ConfirmAction
          trigger={<Button variant="danger">Delete {name}</Button>}
          title={`Delete the account “${name}”?`}
          description="All members lose access, and API tokens and webhooks end. Orders and documents are kept for the books. This can’t be undone."
          confirmLabel="Delete account"
          action={async () => {
            await apiFetch(`/api/user/accounts/${id}`, { method: 'DELETE' }).catch(deleteFailure);
            await chooseAccount(userId);
            window.location.assign('/user');
          }}
        />
      </CardBody>
    </Card>
  );
}
