'use client';

import { useEffect, useRef, useState } from 'react';
import { PasskeyButton } from '@/components/auth/passkey';
import { getFormText, TextField } from '@/components/form/fields';
import { PasswordField } from '@/components/form/password-field';
import { useApiForm } from '@/components/form/use-api-form';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Dialog, DialogBody, DialogFooter } from '@/components/ui/dialog';
import { beginPasskeyStepAction, passkeyStepAction } from '@/lib/auth/passkey-actions';
import { type Portal, portals } from '@/lib/auth/portals';
import { ApiError, apiFetch } from '@/lib/browser/api-client';
import { AccountName } from './password-card';
import { actionFailure } from './security-call';

type SignInAgainDialogProps = {
  portal: Portal;
  email: string;
  /** Called once, with true after the sign-in. */
  onClose: (isDone: boolean) => void;
};

/** Signs the page's user in above the open page or dialog, which keeps its state. */
export function SignInAgainDialog({ portal, email, onClose }: SignInAgainDialogProps) {
  const [asksCode, setAsksCode] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const code = useRef<HTMLInputElement>(null);
  const password = () => getFormText(new FormData(form.current ?? undefined), 'password');
  useEffect(() => {
    if (asksCode) code.current?.focus();
  }, [asksCode]);
  const { pending, error, fields, formProps } = useApiForm({
    validate: (data): Record<string, string> =>
      getFormText(data, 'password') === '' ? { password: 'Enter your password.' } : {},
    submit: (data) =>
      apiFetch(`/api/${portal}/auth/login`, {
        method: 'POST',
        body: {
          email,
          password: getFormText(data, 'password'),
          ...(asksCode && { code: getFormText(data, 'code').trim() }),
        },
      }).then(
        () => 'signed-in' as const,
        (cause: unknown) => {
          if (cause instanceof ApiError && cause.fields.code && !asksCode) return 'code-needed' as const;
          throw cause;
        },
      ),
    onSuccess: (outcome) => (outcome === 'code-needed' ? setAsksCode(true) : onClose(true)),
    fallback: actionFailure,
  });
  const leave = () => {
    const back = `${window.location.pathname}${window.location.search}`;
    window.location.assign(`${portals[portal].signIn}?next=${encodeURIComponent(back)}`);
  };
  return (
    <Dialog
      open
      onOpenChange={() => onClose(false)}
      title="Sign in again"
      description="Your session has ended. Nothing you entered is lost."
      size="sm"
      initialFocus={field}
    >
      <form ref={form} {...formProps} data-unmarked="" className="contents">
        <DialogBody className="grid content-start gap-4">
          {error ? <Alert tone="error">{error}</Alert> : null}
          <p className="wrap-anywhere text-muted">
            Signed in as <span className="text-ink">{email}</span>
          </p>
          <AccountName email={email} />
          <PasswordField
            ref={field}
            name="password"
            label="Your password"
            required
            autoComplete="current-password"
            error={fields.password}
          />
          {asksCode ? (
            <>
              <TextField
                ref={code}
                name="code"
                label="Authentication code"
                required
                autoComplete="one-time-code"
                autoCapitalize="none"
                spellCheck={false}
                maxLength={40}
                error={fields.code}
              />
              <PasskeyButton
                label="Use a passkey instead"
                begin={() => beginPasskeyStepAction({ portal, email, password: password() })}
                finish={(response) =>
                  passkeyStepAction({ portal, email, password: password(), remember: false, response })
                }
                onDone={() => onClose(true)}
                fallback={actionFailure}
              />
            </>
          ) : null}
        </DialogBody>
        <DialogFooter>
          <Button variant="ghost" disabled={pending} className="mr-auto" onClick={leave}>
            Go to the sign-in page
          </Button>
          <Button disabled={pending} onClick={() => onClose(false)}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" pending={pending}>
            Sign in
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
