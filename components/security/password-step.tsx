'use client';

import { useEffect, useRef } from 'react';
import { getFormText } from '@/components/form/form-text';
import { PasswordField } from '@/components/form/password-field';
import { useApiForm } from '@/components/form/use-api-form';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import type { ActionResult } from '@/lib/platform/http/action';
import { AccountName } from './account-name';
import { actionFailure, securityCall } from './security-call';

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
    validate: (data): Record<string, string> =>
      getFormText(data, 'password') === '' ? { password: 'Enter your password.' } : {},
    submit: (data) => securityCall(() => action({ password: getFormText(data, 'password') })),
    onSuccess: onDone,
    fallback: actionFailure,
  });
  return (
    <form {...formProps} data-unmarked="" className="grid gap-4 sm:max-w-sm">
      {error ? <Alert tone="error">{error}</Alert> : null}
      <AccountName email={email} />
      <PasswordField
        ref={field}
        name="password"
        label="Your password"
        required
        autoComplete="current-password"
        hint={hint}
        error={fields.password}
      />
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
