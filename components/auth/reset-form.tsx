'use client';

import { minPasswordLength } from '@/lib/auth/password-rule';
import { PasswordField } from '../form/password-field';
import { textOf } from '../form/text-of';
import { type FieldErrors, useApiForm } from '../form/use-api-form';
import { Alert } from '../ui/alert';
import { Button } from '../ui/button';
import { AuthLink } from './auth-link';
import { sendReset } from './send-reset';
import { useDelayed } from './use-delayed';
import { useHydrated } from './use-hydrated';

/** Spec 000, section 9. */
const redirectDelayMs = 1_500;

type ResetFormProps = {
  /** '' when the address has an empty one: nothing can be set then. */
  token: string;
  signIn: string;
  forgot: string;
};

/** A new password by a mailed link; the texts are those of spec 000, sections 5 and 8. */
export function ResetForm({ token, signIn, forgot }: ResetFormProps) {
  const hydrated = useHydrated();
  const { started: done, start } = useDelayed(redirectDelayMs, () => window.location.replace(signIn));
  const { pending, error, fields, formProps } = useApiForm({
    validate: complaints,
    submit: (data) => sendReset(token, textOf(data, 'password')),
    onSuccess: start,
    fallback: (status) =>
      status === 0 ? 'Network error. Please try again.' : 'Reset failed. The link may have expired.',
  });
  const shown = token === '' ? 'Missing token.' : error;
  return (
    <form {...formProps} data-unmarked="" className="grid gap-5">
      {done ? <Alert tone="success">Password updated. Redirecting to sign in…</Alert> : null}
      {shown ? (
        <Alert tone="error">
          {shown}{' '}
          <span className="inline-block">
            <AuthLink href={forgot}>Ask for a new link</AuthLink>
          </span>
        </Alert>
      ) : null}
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
        label="Confirm password"
        required
        minLength={minPasswordLength}
        autoComplete="new-password"
        error={fields.confirm}
      />
      <Button
        type="submit"
        variant="primary"
        size="lg"
        pending={pending || done}
        disabled={!hydrated || token === ''}
        className={hydrated ? 'w-full' : 'w-full disabled:opacity-100'}
      >
        Update password
      </Button>
    </form>
  );
}

function complaints(data: FormData): FieldErrors {
  const password = textOf(data, 'password');
  if (password.length < minPasswordLength) return { password: 'Password must be at least 8 characters.' };
  return password === textOf(data, 'confirm') ? {} : { confirm: 'Passwords do not match.' };
}
