'use client';

import { getFormText } from '@/components/form/form-text';
import { NewPasswordFields, newPasswordErrors } from '@/components/form/new-password-fields';
import { useApiForm } from '@/components/form/use-api-form';
import { Alert } from '@/components/ui/alert';
import { AuthLink } from './auth-link';
import { sendReset } from './send-reset';
import { SubmitButton } from './submit-button';
import { useDelayed } from './use-delayed';

/** Leaves time to read the message. */
const redirectDelayMs = 1_500;

type ResetFormProps = {
  /** Empty when the URL has an empty token; the form is then disabled. */
  token: string;
  signIn: string;
  forgot: string;
};

/** Sets a new password by a mailed link. */
export function ResetForm({ token, signIn, forgot }: ResetFormProps) {
  const { started: done, start } = useDelayed(redirectDelayMs, () => window.location.replace(signIn));
  const { pending, error, fields, formProps } = useApiForm({
    validate: newPasswordErrors,
    submit: (data) => sendReset(token, getFormText(data, 'password')),
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
            <AuthLink href={forgot}>Request a new link</AuthLink>
          </span>
        </Alert>
      ) : null}
      <NewPasswordFields errors={fields} confirmLabel="Confirm password" />
      <SubmitButton pending={pending || done} disabled={token === ''}>
        Update password
      </SubmitButton>
    </form>
  );
}
