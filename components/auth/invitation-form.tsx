'use client';

import { useState } from 'react';
import { getFormText } from '@/components/form/fields';
import { NewPasswordFields, newPasswordErrors } from '@/components/form/password-field';
import { useApiForm } from '@/components/form/use-api-form';
import { Alert } from '@/components/ui/alert';
import { readAction } from '@/lib/browser/api-client';
import type { ActionResult } from '@/lib/platform/http/action';
import { type AgreedVersions, type LegalVersions, toAgreedVersions } from '@/lib/settings/legal/legal';
import { AgreementField, agreementErrors } from './account-fields';
import { SubmitButton } from './submit-button';

type InvitationFormProps = {
  token: string;
  email: string;
  /** The published documents that a customer or seller agrees to; none for staff. */
  legal: LegalVersions;
  accept: (input: {
    token: string;
    password: string;
    agreedTo: AgreedVersions;
  }) => Promise<ActionResult<{ home: string }>>;
};

/** Sets the first password of an invited user, who is then signed in. */
export function InvitationForm({ token, email, legal, accept }: InvitationFormProps) {
  const [leaving, setLeaving] = useState(false);
  const { pending, error, fields, formProps } = useApiForm({
    validate: (data) => ({ ...newPasswordErrors(data), ...agreementErrors(data, legal) }),
    submit: (data) =>
      readAction(accept({ token, password: getFormText(data, 'password'), agreedTo: toAgreedVersions(legal) })),
    onSuccess: ({ home }) => {
      setLeaving(true);
      window.location.replace(home);
    },
    fallback: () => 'Network error. Please try again.',
  });
  return (
    <form {...formProps} data-unmarked="" className="grid gap-5">
      {error ? <Alert tone="error">{error}</Alert> : null}
      {/* Tells password managers whose password it is. */}
      <input type="hidden" name="username" autoComplete="username" value={email} />
      <NewPasswordFields errors={fields} confirmLabel="Confirm password" />
      <AgreementField legal={legal} error={fields.agreement} />
      <SubmitButton pending={pending || leaving}>Set password and sign in</SubmitButton>
    </form>
  );
}
