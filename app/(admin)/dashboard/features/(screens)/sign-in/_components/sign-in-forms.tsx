'use client';

import { useRouter } from 'next/navigation';
import { toast } from 'sonner';
import { CardForm } from '@/components/form/card-form';
import { getFormText, TextField } from '@/components/form/fields';
import { useApiForm } from '@/components/form/use-api-form';
import { Card, CardHeader } from '@/components/ui/card';
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
export function TwoStepForm({ roles, required, graceDays, version, isAdmin }: TwoStepFormProps) {
  const router = useRouter();
  const form = useApiForm({
    submit: (data) => {
      const chosen = data.getAll('roles').filter((value) => typeof value === 'string');
      return callAction(() =>
        saveTwoStepRuleAction({ roles: chosen, graceDays: getFormText(data, 'graceDays'), version }),
      );
    },
    onSuccess: () => {
      toast.success('Saved');
      router.refresh();
    },
    fallback: () => 'The rule couldn’t be saved. Please try again.',
  });
  return (
    <Card aria-labelledby="two-step-rule-heading">
      <CardHeader
        title={<span id="two-step-rule-heading">Two-step sign-in</span>}
        description="Users with a selected role must set up an authenticator app or a passkey. After the grace period, only their Security page opens until they do."
      />
      <CardForm form={form} data-unmarked="" className="gap-5" submitLabel="Save two-step sign-in">
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
          {form.fields.roles ? <FieldError>{form.fields.roles}</FieldError> : null}
        </fieldset>
        <TextField
          name="graceDays"
          label="Grace period in days"
          required
          inputMode="numeric"
          autoComplete="off"
          defaultValue={graceDays}
          error={form.fields.graceDays}
          hint="0 to 90. Starts when the role is selected here, the account is created or the user receives the role."
          className="max-w-96"
        />
        {isAdmin ? null : (
          <p className="text-muted text-sm">
            Only an Admin can remove a role from the list or extend the grace period.
          </p>
        )}
      </CardForm>
    </Card>
  );
}

type StaffSessionsFormProps = {
  rules: { idleMinutes: number; maxHours: number };
  version: number;
  /** Only an Admin can lengthen sessions. */
  isAdmin: boolean;
};

/** Edits the session lifetime of users with the permission AdminDashboard. */
export function StaffSessionsForm({ rules, version, isAdmin }: StaffSessionsFormProps) {
  const router = useRouter();
  const form = useApiForm({
    submit: (data) =>
      callAction(() =>
        saveStaffSessionRulesAction({
          idleMinutes: getFormText(data, 'idleMinutes'),
          maxHours: getFormText(data, 'maxHours'),
          version,
        }),
      ),
    onSuccess: () => {
      toast.success('Saved');
      router.refresh();
    },
    fallback: () => 'The rules couldn’t be saved. Please try again.',
  });
  return (
    <Card aria-labelledby="staff-sessions-heading">
      <CardHeader
        title={<span id="staff-sessions-heading">Staff sessions</span>}
        description="When users with AdminDashboard must sign in again. Changes also apply to current sessions."
      />
      <CardForm form={form} data-unmarked="" className="gap-5" submitLabel="Save sessions">
        <TextField
          name="idleMinutes"
          label="Idle timeout in minutes"
          required
          inputMode="numeric"
          autoComplete="off"
          defaultValue={String(rules.idleMinutes)}
          error={form.fields.idleMinutes}
          hint="5 to 240"
          className="max-w-60"
        />
        <TextField
          name="maxHours"
          label="Maximum length in hours"
          required
          inputMode="numeric"
          autoComplete="off"
          defaultValue={rules.maxHours}
          error={form.fields.maxHours}
          hint="1 to 12"
          className="max-w-60"
        />
        {isAdmin ? null : (
          <p className="text-muted text-sm">You can shorten sessions. Only an Admin can extend them.</p>
        )}
      </CardForm>
    </Card>
  );
}
