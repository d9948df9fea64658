'use client';

import { useRouter } from 'next/navigation';
import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react';
import { toast } from 'sonner';
import { CardForm } from '@/components/form/card-form';
import { getFormText } from '@/components/form/fields';
import { NewPasswordFields, newPasswordErrors, PasswordField } from '@/components/form/password-field';
import { type ApiForm, type FieldErrors, useApiForm } from '@/components/form/use-api-form';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Card, CardHeader } from '@/components/ui/card';
import { changePasswordAction } from '@/lib/auth/security-actions';
import type { ActionResult } from '@/lib/platform/http/action';
import { actionFailure, securityCall } from './security-call';

/** Renders the hidden account name of a password form, for password managers. */
function AccountName({ email }: { email: string }) {
  return <input type="text" name="username" autoComplete="username" defaultValue={email} readOnly hidden />;
}

type CurrentPasswordFieldProps = Pick<ComponentProps<typeof PasswordField>, 'ref' | 'hint'> & {
  email: string;
  error: string | undefined;
};

/** Renders the field for the password of the signed-in user. */
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

type StepProps = {
  form: ApiForm;
  submitLabel: string;
  variant?: 'primary' | 'danger' | undefined;
  onCancel: () => void;
};

/** Renders a step of a security setting inside its card. */
export function StepForm({ children, ...step }: StepProps & { children: ReactNode }) {
  const { formProps, error } = step.form;
  return (
    <form {...formProps} data-unmarked="" className="grid gap-4 sm:max-w-sm">
      {error ? <Alert tone="error">{error}</Alert> : null}
      {children}
      <StepButtons {...step} />
    </form>
  );
}

export function StepButtons({ form: { pending }, submitLabel, variant = 'primary', onCancel }: StepProps) {
  return (
    <div className="flex gap-2">
      <Button type="submit" variant={variant} pending={pending}>
        {submitLabel}
      </Button>
      <Button disabled={pending} onClick={onCancel}>
        Cancel
      </Button>
    </div>
  );
}

type PasswordStepProps<T> = {
  email: string;
  hint: string;
  submitLabel: string;
  variant?: StepProps['variant'];
  action: (input: { password: string }) => Promise<ActionResult<T>>;
  onDone: (result: T) => void;
  onCancel: () => void;
};

/** Asks for the password before an action that a stolen session must not perform. */
export function PasswordStep<T>(props: PasswordStepProps<T>) {
  const { email, hint, submitLabel, variant, action, onDone, onCancel } = props;
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const form = useApiForm({
    validate: passwordErrors,
    submit: (data) => securityCall(() => action({ password: getFormText(data, 'password') })),
    onSuccess: onDone,
    fallback: actionFailure,
  });
  return (
    <StepForm form={form} submitLabel={submitLabel} variant={variant} onCancel={onCancel}>
      <CurrentPasswordField ref={field} email={email} hint={hint} error={form.fields.password} />
    </StepForm>
  );
}

/** Changes the password; requires the current one. */
export function PasswordCard({ email }: { email: string }) {
  const router = useRouter();
  const form = useApiForm({
    validate,
    submit: (data) =>
      securityCall(() =>
        changePasswordAction({
          current: getFormText(data, 'current'),
          password: getFormText(data, 'password'),
          confirm: getFormText(data, 'confirm'),
        }),
      ),
    clears: true,
    onSuccess: () => {
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
      <CardForm
        form={form}
        data-unmarked=""
        className="gap-5 sm:max-w-sm"
        submitLabel="Change password"
        variant="primary"
      >
        <AccountName email={email} />
        <PasswordField
          name="current"
          label="Current password"
          required
          autoComplete="current-password"
          error={form.fields.current}
        />
        <NewPasswordFields errors={form.fields} confirmLabel="Confirm new password" />
      </CardForm>
    </Card>
  );
}

function validate(data: FormData): FieldErrors {
  return {
    ...(getFormText(data, 'current') === '' && { current: 'Enter your current password.' }),
    ...newPasswordErrors(data),
  };
}
