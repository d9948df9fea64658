'use client';

import { useRouter } from 'next/navigation';
import { getFormText, TextField } from '@/components/form/fields';
import { PasswordField } from '@/components/form/password-field';
import { type FieldErrors, useApiForm } from '@/components/form/use-api-form';
import { Alert } from '@/components/ui/alert';
import { apiFetch } from '@/lib/browser/api-client';
import { type LegalVersions, listPublished, toAgreedVersions } from '@/lib/settings/legal/legal';
import { AgreementField, accountCreated, EmailField } from './account-fields';
import { SubmitButton, useDelayed } from './submit-button';

/** Leaves time to read the message. */
const redirectDelayMs = 1_500;

/**
 * The form of the separate register page. After the confirmation it redirects to the sign-in. It asks for consent when
 * the operator has published terms or a privacy policy.
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
        body: {
          name: getFormText(data, 'name').trim(),
          email: getFormText(data, 'email').trim(),
          password: getFormText(data, 'password'),
          agreedTo: toAgreedVersions(legal),
        },
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
      <PasswordField
        name="password"
        label="Password"
        required
        autoComplete="new-password"
        hint={fields.password ? undefined : 'At least 8 characters.'}
        error={fields.password}
      />
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
