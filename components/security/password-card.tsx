'use client';

import { useRouter } from 'next/navigation';
import { minPasswordLength } from '@/lib/auth/password-rule';
import { changePasswordAction } from '@/lib/auth/security-actions';
import { PasswordField } from '../form/password-field';
import { textOf } from '../form/text-of';
import { type FieldErrors, useApiForm } from '../form/use-api-form';
import { Alert } from '../ui/alert';
import { Button } from '../ui/button';
import { Card, CardBody, CardFooter, CardHeader } from '../ui/card';
import { toast } from '../ui/toast';
import { AccountName } from './account-name';
import { actionFailure } from './action-failure';
import { securityCall } from './security-call';

/** A new password, with the current one. */
export function PasswordCard({ email }: { email: string }) {
  const router = useRouter();
  const { pending, error, fields, formProps } = useApiForm({
    validate: complaints,
    submit: (data) =>
      securityCall(
        changePasswordAction({
          current: textOf(data, 'current'),
          password: textOf(data, 'password'),
          confirm: textOf(data, 'confirm'),
        }),
      ),
    onSuccess: (_, form) => {
      form.reset();
      toast.success('Password changed. Your other sessions were ended.');
      router.refresh();
    },
    fallback: actionFailure,
  });
  return (
    <Card aria-labelledby="password-heading">
      <CardHeader
        title={<span id="password-heading">Password</span>}
        description="A new password ends all your other sessions."
      />
      <form {...formProps} data-unmarked="">
        <CardBody className="grid gap-5 sm:max-w-sm">
          {error ? <Alert tone="error">{error}</Alert> : null}
          <AccountName email={email} />
          <PasswordField
            name="current"
            label="Current password"
            required
            autoComplete="current-password"
            error={fields.current}
          />
          <PasswordField
            name="password"
            label="New password"
            required
            minLength={minPasswordLength}
            autoComplete="new-password"
            hint={fields.password ? undefined : 'At least 8 characters.'}
            error={fields.password}
          />
          <PasswordField
            name="confirm"
            label="Confirm new password"
            required
            minLength={minPasswordLength}
            autoComplete="new-password"
            error={fields.confirm}
          />
        </CardBody>
        <CardFooter>
          <Button type="submit" variant="primary" pending={pending}>
            Change password
          </Button>
        </CardFooter>
      </form>
    </Card>
  );
}

function complaints(data: FormData): FieldErrors {
  const password = textOf(data, 'password');
  return {
    ...(textOf(data, 'current') === '' && { current: 'Enter your current password.' }),
    ...(password.length < minPasswordLength && { password: 'Password must be at least 8 characters.' }),
    ...(password !== textOf(data, 'confirm') && { confirm: 'Passwords do not match.' }),
  };
}
