'use client';

import { useState } from 'react';
import { getFormText, SelectField, TextField } from '@/components/form/fields';
import type { FieldErrors } from '@/components/form/use-api-form';
import { Checkbox } from '@/components/ui/controls';
import { FieldError } from '@/components/ui/field';
import { getAmountError } from '@/components/wallet/amount-field';
import { type AccountRole, accountRoles } from '@/db/enums';
import { accountRoleNames } from '@/lib/accounts/role-names';
import { parseMoney, toDecimalString } from '@/lib/money';
import { orderingRoles, roleTexts } from './role-texts';

/** What a member may do and see; `projectIds` null for all projects, `monthlyLimitCents` in USD cents, null for no limit. */
export type Membership = {
  role: AccountRole;
  projectIds: readonly string[] | null;
  monthlyLimitCents: number | null;
};

/** What the user may give. */
export type Grantable = {
  /** The roles, the one with the fewest rights last. */
  roles: readonly AccountRole[];
  projects: readonly { id: string; domain: string }[];
  /** Whether all projects, also later ones, can be given. */
  hasAllProjects: boolean;
};

type MemberFieldsProps = Grantable & {
  /** Null for an invitation. */
  membership: Membership | null;
  errors: FieldErrors;
};

const scopes = [
  { value: 'all', label: 'All projects, including new ones' },
  { value: 'chosen', label: 'Only chosen projects' },
];

/** Renders the fields of a membership: role, projects and monthly limit. */
export function MemberFields({ roles, projects, hasAllProjects, membership, errors }: MemberFieldsProps) {
  const [role, setRole] = useState<AccountRole>(membership?.role ?? (roles.includes('buyer') ? 'buyer' : 'client'));
  const [chosenScope, setScope] = useState(membership && (membership.projectIds === null ? 'all' : 'chosen'));
  // A client is invited to the own project.
  const scope = chosenScope ?? (role === 'client' ? 'chosen' : 'all');
  const offered = scopes.filter(({ value }) => value === 'chosen' || hasAllProjects);
  const isChosen = role !== 'owner' && (scope === 'chosen' || !hasAllProjects);
  return (
    <>
      <SelectField
        name="role"
        label="Role"
        required
        value={role}
        options={roles.map((value) => ({ value, label: accountRoleNames[value] }))}
        hint={roleTexts[role]}
        error={errors.role}
        onChange={({ target }) => setRole(accountRoles.find((value) => value === target.value) ?? role)}
      />
      {role === 'owner' ? null : (
        <SelectField
          name="scope"
          label="Projects"
          required
          value={isChosen ? 'chosen' : 'all'}
          options={offered}
          error={isChosen ? undefined : errors.projectIds}
          onChange={({ target }) => setScope(target.value)}
        />
      )}
      {isChosen ? (
        <fieldset className="min-w-0">
          <legend className="mb-1.5 font-medium text-ink text-sm">Chosen projects</legend>
          {projects.length === 0 ? (
            <p className="text-muted text-sm">No projects yet. You can choose them later.</p>
          ) : (
            <ul className="grid max-h-56 gap-x-4 gap-y-1 overflow-y-auto rounded-md border border-line p-3 text-sm sm:grid-cols-2">
              {projects.map(({ id, domain }) => (
                <li key={id} className="min-w-0">
                  <Checkbox
                    name="projectIds"
                    value={id}
                    defaultChecked={membership?.projectIds?.includes(id) ?? false}
                    label={<span className="wrap-anywhere">{domain}</span>}
                  />
                </li>
              ))}
            </ul>
          )}
          {errors.projectIds ? <FieldError>{errors.projectIds}</FieldError> : null}
        </fieldset>
      ) : null}
      {orderingRoles.includes(role) ? (
        <LimitField
          name="monthlyLimit"
          label="Monthly limit"
          cents={membership?.monthlyLimitCents ?? null}
          errors={errors}
        >
          The most this person’s orders may cost in a month (UTC), with tax. Anything above it waits for approval. Leave
          empty for no limit.
        </LimitField>
      ) : null}
    </>
  );
}

type LimitFieldProps = {
  name: string;
  label: string;
  /** USD cents; null for an empty field. */
  cents: number | null;
  errors: FieldErrors;
  /** The hint. */
  children: string;
};

/** Renders an amount in USD that may be empty for no limit. */
export function LimitField({ name, label, cents, errors, children }: LimitFieldProps) {
  return (
    <TextField
      name={name}
      label={label}
      type="number"
      min={0}
      step="0.01"
      currency="USD"
      leading="$"
      trailing="USD"
      defaultValue={cents === null ? '' : toDecimalString(cents)}
      hint={children}
      error={errors[name] ?? errors[`${name}Cents`]}
    />
  );
}

/** Reads the amount of a LimitField in USD cents; null when it is empty. */
export const readLimit = (data: FormData, name: string): number | null => parseMoney(getFormText(data, name));

/** Checks the amount of a LimitField. */
export function checkLimit(data: FormData, name: string): FieldErrors {
  const text = getFormText(data, name);
  const error = getAmountError(text, 'the limit') ?? (text.trim().startsWith('-') ? 'Enter 0 or more.' : undefined);
  return error ? { [name]: error } : {};
}

/** Reads the fields of a membership as the API accepts them. */
export function readMembership(data: FormData) {
  const role = getFormText(data, 'role');
  const isAll = role === 'owner' || getFormText(data, 'scope') === 'all';
  return {
    role,
    projectIds: isAll ? ('all' as const) : data.getAll('projectIds').map(String),
    monthlyLimitCents: readLimit(data, 'monthlyLimit'),
  };
}
