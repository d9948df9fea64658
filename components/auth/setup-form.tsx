'use client';

import { useEffect, useRef, useState } from 'react';
import { getFormText, TextField } from '@/components/form/fields';
import { NewPasswordField } from '@/components/form/password-field';
import { useApiForm } from '@/components/form/use-api-form';
import { Alert } from '@/components/ui/alert';
import { portals } from '@/lib/auth/portals';
import { readAction } from '@/lib/browser/api-client';
import { setUpAction } from '@/lib/users/actions';
import { EmailField, validateEmail } from './account-fields';
import { SubmitButton } from './submit-button';

/** Renders the form for the first admin. The link in the server's log fills in the code. */
export function SetupForm() {
  const [leaving, setLeaving] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const fillIn = () => {
      const code = form.current?.elements.namedItem('code');
      const linked = window.location.hash.slice(1);
      if (!(code instanceof HTMLInputElement) || linked === '') return;
      code.value = linked;
      // The code does not stay in the history.
      window.history.replaceState(null, '', window.location.pathname);
    };
    fillIn();
    // The link opened while the page is open.
    window.addEventListener('hashchange', fillIn);
    return () => window.removeEventListener('hashchange', fillIn);
  }, []);
  const { pending, error, fields, formProps } = useApiForm({
    validate: (data) => ({
      ...(getFormText(data, 'code').trim() === '' && { code: 'Enter the setup code.' }),
      ...(getFormText(data, 'name').trim() === '' && { name: 'Enter your name.' }),
      ...validateEmail(data),
      ...(getFormText(data, 'password') === '' && { password: 'Enter a password.' }),
    }),
    submit: (data) =>
      readAction(
        setUpAction({
          code: getFormText(data, 'code'),
          name: getFormText(data, 'name'),
          email: getFormText(data, 'email'),
          password: getFormText(data, 'password'),
        }),
      ),
    onSuccess: () => {
      setLeaving(true);
      window.location.replace(portals.admin.home);
    },
  });
  return (
    <form ref={form} {...formProps} data-unmarked="" className="grid gap-5">
      {error ? <Alert tone="error">{error}</Alert> : null}
      <TextField
        name="code"
        label="Setup code"
        required
        maxLength={60}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        hint="Printed in the server’s log, at the start and when this page is opened."
        error={fields.code}
      />
      <TextField name="name" label="Your name" required maxLength={120} autoComplete="name" error={fields.name} />
      <EmailField autoComplete="email" error={fields.email} />
      <NewPasswordField error={fields.password} />
      <SubmitButton pending={pending || leaving}>Create account</SubmitButton>
    </form>
  );
}
