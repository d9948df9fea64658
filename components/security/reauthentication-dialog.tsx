'use client';

import { useEffect, useRef, useState } from 'react';
import { PasskeyButton } from '@/components/auth/passkey';
import { getFormText } from '@/components/form/fields';
import { PasswordField } from '@/components/form/password-field';
import { useApiForm } from '@/components/form/use-api-form';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Dialog, DialogBody, DialogFooter } from '@/components/ui/dialog';
import { beginPasskeyConfirmationAction, confirmWithPasskeyAction } from '@/lib/auth/passkey-actions';
import { apiFetch } from '@/lib/browser/api-client';
import { AccountName } from './password-card';
import { actionFailure } from './security-call';

const path = '/api/auth/reauthenticate';

/**
 * Asks for the password above the open page or dialog, which keeps its state.
 * @param onClose called once, with true when the server accepted the password
 */
export function ReauthenticationDialog({ onClose }: { onClose: (isDone: boolean) => void }) {
  const [email, setEmail] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // Only identifies the account to password managers; the form works without it.
    apiFetch<{ email: string }>(path).then(
      ({ email }) => setEmail(email),
      () => undefined,
    );
  }, []);
  const { pending, error, fields, formProps } = useApiForm({
    validate: (data): Record<string, string> =>
      getFormText(data, 'password') === '' ? { password: 'Enter your password.' } : {},
    submit: (data) => apiFetch(path, { method: 'POST', body: { password: getFormText(data, 'password') } }),
    onSuccess: () => onClose(true),
    fallback: actionFailure,
  });
  return (
    <Dialog
      open
      onOpenChange={() => onClose(false)}
      title="Confirm your password"
      description="You must have confirmed your password within the last five minutes. Nothing you entered is lost."
      size="sm"
      initialFocus={field}
    >
      <form {...formProps} data-unmarked="" className="contents">
        <DialogBody className="grid content-start gap-4">
          {error ? <Alert tone="error">{error}</Alert> : null}
          <AccountName key={email} email={email} />
          <PasswordField
            ref={field}
            name="password"
            label="Your password"
            required
            autoComplete="current-password"
            error={fields.password}
          />
          <PasskeyButton
            label="Use a passkey"
            begin={() => beginPasskeyConfirmationAction({})}
            finish={(response) => confirmWithPasskeyAction({ response })}
            onDone={() => onClose(true)}
            fallback={actionFailure}
          />
        </DialogBody>
        <DialogFooter>
          <Button disabled={pending} onClick={() => onClose(false)}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" pending={pending}>
            Continue
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
