'use client';

import { useState } from 'react';
import { getFormText, TextField } from '@/components/form/fields';
import { NewPasswordField } from '@/components/form/password-field';
import { type FieldErrors, useApiForm } from '@/components/form/use-api-form';
import { Alert } from '@/components/ui/alert';
import { apiFetch } from '@/lib/browser/api-client';
import type { LegalVersions } from '@/lib/settings/legal/legal';
import { AgreementField, agreementErrors, EmailField, registrationOf } from './account-fields';
import { CheckInbox } from './check-inbox';
import { SubmitButton } from './submit-button';

/**
 * Renders the form of the separate register page. It asks for consent when the operator has published terms or a privacy
 * policy.
 */
export function RegisterForm({ legal }: { legal: LegalVersions }) {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const { pending, error, fields, formProps } = useApiForm({
    validate: (data) => validate(data, legal),
    submit: async (data) => {
      const body = registrationOf(data, legal);
      await apiFetch('/api/auth/register', { method: 'POST', body });
      return body.email;
    },
    onSuccess: setSentTo,
    fallback: (status) => (status === 0 ? 'Server error. Try again later.' : 'Registration failed.'),
  });
  if (sentTo !== null) {
    return (
      <div className="grid gap-4">
        <h2 className="font-medium text-ink text-lg">Check your inbox</h2>
        <CheckInbox email={sentTo} onRestart={() => setSentTo(null)} />
      </div>
    );
  }
  return (
    <form {...formProps} data-unmarked="" className="grid gap-5">
      {error ? <Alert tone="error">{error}</Alert> : null}
      <TextField name="name" label="Full name" required maxLength={120} autoComplete="name" error={fields.name} />
      <EmailField autoComplete="email" error={fields.email} />
      <NewPasswordField error={fields.password} />
      <AgreementField legal={legal} error={fields.agreement} />
      <SubmitButton pending={pending}>Register</SubmitButton>
    </form>
  );
}

function validate(data: FormData, legal: LegalVersions): FieldErrors {
  return {
    ...(getFormText(data, 'name').trim() === '' && { name: 'Enter your name.' }),
    ...(getFormText(data, 'email').trim() === '' && { email: 'Enter your email.' }),
    ...(getFormText(data, 'password') === '' && { password: 'Enter a password.' }),
    ...agreementErrors(data, legal),
  };
}
