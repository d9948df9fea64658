'use client';

import { useState } from 'react';
import { getFormText } from '@/components/form/form-text';
import { useApiForm } from '@/components/form/use-api-form';
import { Alert } from '@/components/ui/alert';
import { apiFetch } from '@/lib/browser/api-client';
import { EmailField } from './email-field';
import { SubmitButton } from './submit-button';
import { validateEmail } from './validate-email';

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
