'use client';

import { useState } from 'react';
import { apiFetch } from '@/lib/http/client';
import { TextField } from '../form/text-field';
import { textOf } from '../form/text-of';
import { useApiForm } from '../form/use-api-form';
import { Alert } from '../ui/alert';
import { Button } from '../ui/button';
import { emailMessage } from './email-shape';
import { useHydrated } from './use-hydrated';

/** Asks for a reset link. Says the same whatever came of it, even without a network (spec 000, section 8). */
export function ForgotForm() {
  const hydrated = useHydrated();
  const [sent, setSent] = useState(false);
  const { pending, fields, formProps } = useApiForm({
    validate: (data) => {
      setSent(false);
      return emailMessage(data);
    },
    submit: (data) =>
      Promise.allSettled([
        apiFetch('/api/user/auth/forgot', { method: 'POST', body: { email: textOf(data, 'email').trim() } }),
      ]),
    onSuccess: () => setSent(true),
    fallback: () => '',
  });
  return (
    <form {...formProps} data-unmarked="" className="grid gap-5">
      {sent ? <Alert tone="success">If the email exists, we’ve sent a reset link.</Alert> : null}
      <TextField
        name="email"
        type="email"
        label="Email"
        required
        autoComplete="username"
        placeholder="you@example.com"
        error={fields.email}
      />
      <Button
        type="submit"
        variant="primary"
        size="lg"
        pending={pending}
        disabled={!hydrated}
        className={hydrated ? 'w-full' : 'w-full disabled:opacity-100'}
      >
        Send reset link
      </Button>
    </form>
  );
}
