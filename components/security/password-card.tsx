'use client';

import { useRouter } from 'next/navigation';
import { toast } from 'sonner';
import { getFormText } from '@/components/form/form-text';
import { NewPasswordFields, newPasswordErrors } from '@/components/form/new-password-fields';
import { PasswordField } from '@/components/form/password-field';
import { type FieldErrors, useApiForm } from '@/components/form/use-api-form';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardFooter, CardHeader } from '@/components/ui/card';
import { changePasswordAction } from '@/lib/auth/security-actions';
import { AccountName } from './account-name';
import { actionFailure, securityCall } from './security-call';

/** Changes the password; requires the current one. */
export function PasswordCard({ email }: { email: string }) {
  const router = useRouter();
  const { pending, error, fields, formProps } = useApiForm({
    validate,
    submit: (data) =>
      securityCall(() =>
        changePasswordAction({
          current: getFormText(data, 'current'),
          password: getFormText(data, 'password'),
          confirm: getFormText(data, 'confirm'),
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
        description="Changing your password ends all your other sessions."
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
          <NewPasswordFields errors={fields} confirmLabel="Confirm new password" />
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

function validate(data: FormData): FieldErrors {
  return {
    ...(getFormText(data, 'current') === '' && { current: 'Enter your current password.' }),
    ...newPasswordErrors(data),
  };
}
