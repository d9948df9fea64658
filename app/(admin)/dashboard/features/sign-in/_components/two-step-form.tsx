'use client';

import { useRouter } from 'next/navigation';
import { toast } from 'sonner';
import { saveTwoStepRuleAction } from '@/app/(admin)/dashboard/features/sign-in/actions';
import { getFormText, TextField } from '@/components/form/fields';
import { useApiForm } from '@/components/form/use-api-form';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardFooter, CardHeader } from '@/components/ui/card';
import { Checkbox } from '@/components/ui/controls';
import { FieldError } from '@/components/ui/field';
import { formatCount } from '@/components/ui/format';
import type { RoleFactorCount } from '@/lib/auth/two-step-rule';
import { callAction } from '@/lib/browser/call-action';

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
  const { pending, error, fields, formProps } = useApiForm({
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
      <form {...formProps} data-unmarked="">
        <CardBody className="grid gap-5">
          {error ? <Alert tone="error">{error}</Alert> : null}
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
            {fields.roles ? <FieldError>{fields.roles}</FieldError> : null}
          </fieldset>
          <TextField
            name="graceDays"
            label="Grace period in days"
            required
            inputMode="numeric"
            autoComplete="off"
            defaultValue={graceDays}
            error={fields.graceDays}
            hint="0 to 90. Starts when the role is selected here, the account is created or the user receives the role."
            className="max-w-96"
          />
          {isAdmin ? null : (
            <p className="text-muted text-sm">
              Only an Admin can remove a role from the list or extend the grace period.
            </p>
          )}
        </CardBody>
        <CardFooter>
          <Button type="submit" pending={pending}>
            Save two-step sign-in
          </Button>
        </CardFooter>
      </form>
    </Card>
  );
}
