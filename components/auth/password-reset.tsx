'use client';

import { useState } from 'react';
import { getFormText } from '@/components/form/fields';
import { NewPasswordFields, newPasswordErrors } from '@/components/form/password-field';
import { useApiForm } from '@/components/form/use-api-form';
import { Alert } from '@/components/ui/alert';
import { ApiError, apiFetch } from '@/lib/browser/api-client';
import { EmailField, validateEmail } from './account-fields';
import { AuthLink } from './sign-in-link';
import { SubmitButton, useDelayed } from './submit-button';

/** The maximum length of an error text that is not the app's own, e.g. a proxy's page. */
const maxErrorLength = 400;

/**
 * Sets a new password by a mailed token. Unlike `apiFetch`, it shows the text of a response that is not JSON.
 * @throws ApiError with the text to show; empty where the screen has its own
 */
export async function sendReset(token: string, password: string): Promise<void> {
  const response = await fetch('/api/user/auth/reset', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ token, password }),
  }).catch(throwNoResponse);
  if (response.ok) return;
  // The connection can end in the middle of the response; a partial body is ignored.
  const text = await response.text().catch(throwNoResponse);
  const body = parsed(text);
  if (!body) throw new ApiError(response.status, text.trim().slice(0, maxErrorLength) || 'Server error', {});
  throw new ApiError(response.status, typeof body.error === 'string' ? body.error : '', fieldsOf(body));
}

function throwNoResponse(): never {
  throw new ApiError(0, '');
}

type Refusal = { error?: unknown; fields?: unknown };

function fieldsOf({ fields }: Refusal): Record<string, string> {
  if (typeof fields !== 'object' || fields === null) return {};
  return Object.fromEntries(Object.entries(fields).filter(([, message]) => typeof message === 'string'));
}

/** Parses a JSON object; null for anything else. */
function parsed(text: string): Refusal | null {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' ? body : null;
  } catch {
    // Not JSON: the caller shows the text itself.
    return null;
  }
}

/** Requests a reset link. The message is the same for every result, so that it does not disclose accounts. */
export function ForgotForm() {
  const [sent, setSent] = useState(false);
  const { pending, fields, formProps } = useApiForm({
    validate: (data) => {
      setSent(false);
      return validateEmail(data);
    },
    submit: (data) =>
      Promise.allSettled([
        apiFetch('/api/user/auth/forgot', { method: 'POST', body: { email: getFormText(data, 'email').trim() } }),
      ]),
    onSuccess: () => setSent(true),
    fallback: () => '',
  });
  return (
    <form {...formProps} data-unmarked="" className="grid gap-5">
      {sent ? <Alert tone="success">If the email exists, we’ve sent a reset link.</Alert> : null}
      <EmailField autoComplete="username" error={fields.email} />
      <SubmitButton pending={pending}>Send reset link</SubmitButton>
    </form>
  );
}

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
