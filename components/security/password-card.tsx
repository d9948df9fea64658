'use client';

import { useRouter } from 'next/navigation';
import { type ComponentProps, useEffect, useRef } from 'react';
import { toast } from 'sonner';
import { getFormText } from '@/components/form/fields';
import { NewPasswordFields, newPasswordErrors, PasswordField } from '@/components/form/password-field';
import { type FieldErrors, useApiForm } from '@/components/form/use-api-form';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardFooter, CardHeader } from '@/components/ui/card';
import { changePasswordAction } from '@/lib/auth/security-actions';
import type { ActionResult } from '@/lib/platform/http/action';
import { actionFailure, securityCall } from './security-call';

/** The hidden account name of a password form, for password managers. */
function AccountName({ email }: { email: string }) {
  return <input type="text" name="username" autoComplete="username" defaultValue={email} readOnly hidden />;
}

type CurrentPasswordFieldProps = Pick<ComponentProps<typeof PasswordField>, 'ref' | 'hint'> & {
  email: string;
  error: string | undefined;
};

/** The password of the signed-in user. */
export function CurrentPasswordField({ email, ...field }: CurrentPasswordFieldProps) {
  return (
    <>
      <AccountName key={email} email={email} />
      <PasswordField {...field} name="password" label="Your password" required autoComplete="current-password" />
    </>
  );
}

export const passwordErrors = (data: FormData): FieldErrors =>
  getFormText(data, 'password') === '' ? { password: 'Enter your password.' } : {};

type PasswordStepProps<T> = {
  email: string;
  hint: string;
  submitLabel: string;
  variant?: 'primary' | 'danger';
  action: (input: { password: string }) => Promise<ActionResult<T>>;
  onDone: (result: T) => void;
  onCancel: () => void;
};

/** Asks for the password before an action that a stolen session must not perform. */
export function PasswordStep<T>(props: PasswordStepProps<T>) {
  const { email, hint, submitLabel, variant = 'primary', action, onDone, onCancel } = props;
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const { pending, error, fields, formProps } = useApiForm({
    validate: passwordErrors,
    submit: (data) => securityCall(() => action({ password: getFormText(data, 'password') })),
    onSuccess: onDone,
    fallback: actionFailure,
  });
  return (
    <form {...formProps} data-unmarked="" className="grid gap-4 sm:max-w-sm">
      {error ? <Alert tone="error">{error}</Alert> : null}
      <CurrentPasswordField ref={field} email={email} hint={hint} error={fields.password} />
      <div className="flex gap-2">
        <Button type="submit" variant={variant} pending={pending}>
          {submitLabel}
        </Button>
        <Button disabled={pending} onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

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
