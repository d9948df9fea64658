'use client';

import { useRouter } from 'next/navigation';
import { getFormText, TextField } from '@/components/form/fields';
import { NewPasswordField } from '@/components/form/password-field';
import { type FieldErrors, useApiForm } from '@/components/form/use-api-form';
import { Alert } from '@/components/ui/alert';
import { apiFetch } from '@/lib/browser/api-client';
import { type LegalVersions, listPublished } from '@/lib/settings/legal/legal';
import { AgreementField, accountCreated, EmailField, registrationOf } from './account-fields';
import { SubmitButton, useDelayed } from './submit-button';

/** Leaves time to read the message. */
const redirectDelayMs = 1_500;

/**
 * Renders the form of the separate register page. After the confirmation it redirects to the sign-in. It asks for
 * consent when the operator has published terms or a privacy policy.
 */
export function RegisterForm({ legal }: { legal: LegalVersions }) {
  const asksAgreement = listPublished(legal).length > 0;
  const router = useRouter();
  const { started: created, start } = useDelayed(redirectDelayMs, () => router.push('/login'));
  const { pending, error, fields, formProps } = useApiForm({
    validate: (data) => validate(data, asksAgreement),
    submit: (data) =>
      apiFetch('/api/auth/register', {
        method: 'POST',
        body: registrationOf(data, legal),
      }),
    onSuccess: (_, form) => {
      form.reset();
      start();
    },
    fallback: (status) => (status === 0 ? 'Server error. Try again later.' : 'Registration failed.'),
  });
  return (
    <form {...formProps} data-unmarked="" className="grid gap-5">
      {created ? <Alert tone="success">{accountCreated}</Alert> : null}
      {error ? <Alert tone="error">{error}</Alert> : null}
      <TextField name="name" label="Full name" required maxLength={120} autoComplete="name" error={fields.name} />
      <EmailField autoComplete="email" error={fields.email} />
      <NewPasswordField error={fields.password} />
      {asksAgreement ? <AgreementField legal={legal} error={fields.agreement} /> : null}
      <SubmitButton pending={pending || created}>Register</SubmitButton>
    </form>
  );
}

function validate(data: FormData, asksAgreement: boolean): FieldErrors {
  return {
    ...(getFormText(data, 'name').trim() === '' && { name: 'Enter your name.' }),
    ...(getFormText(data, 'email').trim() === '' && { email: 'Enter your email.' }),
    ...(getFormText(data, 'password') === '' && { password: 'Enter a password.' }),
    ...(asksAgreement && !data.has('agreement') && { agreement: 'You must agree to the terms to continue.' }),
  };
}
