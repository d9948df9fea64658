'use client';

import { useState } from 'react';
import { textOf } from '../form/text-of';
import { useApiForm } from '../form/use-api-form';
import { Alert } from '../ui/alert';
import { EmailField } from './email-field';
import { emailMessage } from './email-shape';
import { cannotResend, resendVerification, resent } from './resend-verification';
import { SubmitButton } from './submit-button';

/** Asks for a new verification link; the answer does not tell who has an account (spec 000, section 8). */
export function ResendForm() {
  const [sent, setSent] = useState(false);
  const { pending, error, fields, formProps } = useApiForm({
    validate: emailMessage,
    submit: (data) => {
      setSent(false);
      return resendVerification(textOf(data, 'email').trim());
    },
    onSuccess: () => setSent(true),
    fallback: () => cannotResend,
  });
  return (
    <form {...formProps} data-unmarked="" className="grid gap-5">
      <p className="text-muted">Links work once, for 24 hours. Ask for a new one here.</p>
      {sent ? <Alert tone="success">{resent}</Alert> : null}
      {error ? <Alert tone="error">{cannotResend}</Alert> : null}
      <EmailField autoComplete="email" error={fields.email} />
      <SubmitButton pending={pending}>Resend link</SubmitButton>
    </form>
  );
}
