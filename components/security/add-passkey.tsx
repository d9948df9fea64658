'use client';

import { useEffect, useRef } from 'react';
import { addPasskeyAction, beginPasskeyAction } from '@/lib/auth/passkey-actions';
import { createPasskey } from '../auth/prompt-passkey';
import { PasswordField } from '../form/password-field';
import { TextField } from '../form/text-field';
import { textOf } from '../form/text-of';
import { type FieldErrors, useApiForm } from '../form/use-api-form';
import { Alert } from '../ui/alert';
import { Button } from '../ui/button';
import { AccountName } from './account-name';
import { actionFailure } from './action-failure';
import { securityCall } from './security-call';

type AddPasskeyProps = { email: string; onDone: (recoveryCodes: string[] | null) => void; onCancel: () => void };

/** A name and the password, then the browser's own prompt. */
export function AddPasskey({ email, onDone, onCancel }: AddPasskeyProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const { pending, error, fields, formProps } = useApiForm({
    validate: complaints,
    submit: async (data) => {
      const optionsJSON = await securityCall(beginPasskeyAction({ password: textOf(data, 'password') }));
      const response = await createPasskey(optionsJSON);
      return securityCall(addPasskeyAction({ name: textOf(data, 'name'), response }));
    },
    onSuccess: ({ recoveryCodes }) => onDone(recoveryCodes),
    fallback: actionFailure,
  });
  return (
    <form {...formProps} data-unmarked="" className="grid gap-4 sm:max-w-sm">
      {error ? <Alert tone="error">{error}</Alert> : null}
      <AccountName email={email} />
      <TextField
        ref={field}
        name="name"
        label="Name of the passkey"
        required
        maxLength={60}
        autoComplete="off"
        placeholder="Work laptop"
        error={fields.name}
      />
      <PasswordField
        name="password"
        label="Your password"
        required
        autoComplete="current-password"
        hint="Your browser asks for the passkey next."
        error={fields.password}
      />
      <div className="flex gap-2">
        <Button type="submit" variant="primary" pending={pending}>
          Continue
        </Button>
        <Button disabled={pending} onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

function complaints(data: FormData): FieldErrors {
  return {
    ...(textOf(data, 'name').trim() === '' && { name: 'Enter a name.' }),
    ...(textOf(data, 'password') === '' && { password: 'Enter your password.' }),
  };
}
