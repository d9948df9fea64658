'use client';

import { SettingsCard } from '@/components/form/card-form';
import { type FieldSpec, getFormText } from '@/components/form/fields';
import { Checkbox } from '@/components/ui/controls';
import { FieldError } from '@/components/ui/field';
import { formatCount } from '@/components/ui/format';
import { saveStaffSessionRulesAction, saveTwoStepRuleAction } from '@/lib/auth/actions';
import type { RoleFactorCount } from '@/lib/auth/two-step';
import { callAction } from '@/lib/browser/api-client';

type TwoStepFormProps = {
  roles: RoleFactorCount[];
  /** The names of the roles that currently require two-step sign-in. */
  required: string[];
  graceDays: number;
  version: number;
  /** Only an Admin can relax the rule. */
  isAdmin: boolean;
};

/** Selects the roles that require two-step sign-in, and displays how many users of each role have enabled it. */
export function TwoStepForm({ roles, required, graceDays, version: stored, isAdmin }: TwoStepFormProps) {
  return (
    <SettingsCard
      title="Two-step sign-in"
      description="Users with a selected role must set up an authenticator app or a passkey. After the grace period, only their Security page opens until they do."
      isUnmarked
      formClassName="gap-5"
      submitLabel="Save two-step sign-in"
      version={stored}
      submit={(data, version) => {
        const chosen = data.getAll('roles').filter((value) => typeof value === 'string');
        const input = { roles: chosen, graceDays: getFormText(data, 'graceDays'), version };
        return callAction(() => saveTwoStepRuleAction(input));
      }}
      failure="The rule couldn’t be saved. Please try again."
      note={isAdmin ? undefined : 'Only an Admin can remove a role from the list or extend the grace period.'}
      fields={[
        {
          name: 'graceDays',
          label: 'Grace period in days',
          required: true,
          type: 'number',
          min: 0,
          max: 90,
          defaultValue: graceDays,
          hint: '0 to 90. Starts when the role is selected here, the account is created or the user receives the role.',
          className: 'max-w-96',
        },
      ]}
    >
      {(errors) => (
        <fieldset className="grid gap-2">
          <legend className="mb-2 font-medium text-ink text-sm">Required for</legend>
          {roles.map(({ name, userCount, withFactor }) => (
            <Checkbox
              key={name}
              name="roles"
              value={name}
              defaultChecked={required.includes(name)}
              label={
                <span className="flex flex-wrap gap-x-2">
                  <span className="wrap-anywhere text-ink">{name}</span>
                  <span className="text-muted">
                    {formatCount(withFactor)} of {formatCount(userCount)} have set it up
                  </span>
                </span>
              }
            />
          ))}
          {errors.roles ? <FieldError>{errors.roles}</FieldError> : null}
        </fieldset>
      )}
    </SettingsCard>
  );
}

type StaffSessionsFormProps = {
  rules: { idleMinutes: number; maxHours: number };
  version: number;
  /** Only an Admin can lengthen sessions. */
  isAdmin: boolean;
};

/** Edits the session lifetime of users with the permission AdminDashboard. */
export function StaffSessionsForm({ rules, version: stored, isAdmin }: StaffSessionsFormProps) {
  const field = (name: keyof typeof rules, label: string, min: number, max: number): FieldSpec => ({
    name,
    label,
    hint: `${min} to ${max}`,
    required: true,
    type: 'number',
    min,
    max,
    className: 'max-w-60',
    defaultValue: rules[name],
  });
  return (
    <SettingsCard
      title="Staff sessions"
      description="When users with AdminDashboard must sign in again. Changes also apply to current sessions."
      isUnmarked
      formClassName="gap-5"
      submitLabel="Save sessions"
      version={stored}
      submit={(data, version) => {
        const [idleMinutes, maxHours] = [getFormText(data, 'idleMinutes'), getFormText(data, 'maxHours')];
        return callAction(() => saveStaffSessionRulesAction({ idleMinutes, maxHours, version }));
      }}
      failure="The rules couldn’t be saved. Please try again."
      fields={[
        field('idleMinutes', 'Idle timeout in minutes', 5, 240),
        field('maxHours', 'Maximum length in hours', 1, 12),
      ]}
      note={isAdmin ? undefined : 'You can shorten sessions. Only an Admin can extend them.'}
    />
  );
}
