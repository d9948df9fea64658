'use client';

import { type ReactNode, useEffect, useRef, useState } from 'react';
import { SecondFactorField } from '@/components/auth/account-fields';
import { PasskeyButton } from '@/components/auth/passkey';
import { getFormText } from '@/components/form/fields';
import { type FieldErrors, useApiForm } from '@/components/form/use-api-form';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Dialog, DialogBody, DialogFooter } from '@/components/ui/dialog';
import {
  beginPasskeyConfirmationAction,
  beginPasskeyStepAction,
  confirmWithPasskeyAction,
  passkeyStepAction,
} from '@/lib/auth/passkey-actions';
import { type Portal, portals } from '@/lib/auth/portals';
import { ApiError, apiFetch } from '@/lib/browser/api-client';
import { CurrentPasswordField, passwordErrors } from './password-card';
import { actionFailure } from './security-call';

type PasswordDialogProps<Result> = {
  title: string;
  description: string;
  /** Identifies the account to password managers. */
  email: string;
  submitLabel: string;
  submit: (data: FormData) => Promise<Result>;
  onSuccess: (result: Result) => void;
  /** Called without a sign-in. */
  onCancel: () => void;
  /** Shown above the password. */
  intro?: ReactNode;
  /** Shown left of Cancel. */
  leave?: (pending: boolean) => ReactNode;
  /** Shown below the password. @param getPassword returns what is typed */
  children: (errors: FieldErrors, getPassword: () => string) => ReactNode;
};

/** Asks for the password above the open page or dialog, which keeps its state. */
function PasswordDialog<Result>(props: PasswordDialogProps<Result>) {
  const { title, description, email, submitLabel, submit, onSuccess, onCancel, intro, leave, children } = props;
  const form = useRef<HTMLFormElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const getPassword = () => getFormText(new FormData(form.current ?? undefined), 'password');
  const { pending, error, fields, formProps } = useApiForm({
    validate: passwordErrors,
    submit,
    onSuccess,
    fallback: actionFailure,
  });
  return (
    <Dialog open onOpenChange={onCancel} title={title} description={description} size="sm" initialFocus={field}>
      <form ref={form} {...formProps} data-unmarked="" className="contents">
        <DialogBody className="grid content-start gap-4">
          {error ? <Alert tone="error">{error}</Alert> : null}
          {intro}
          <CurrentPasswordField ref={field} email={email} error={fields.password} />
          {children(fields, getPassword)}
        </DialogBody>
        <DialogFooter>
          {leave?.(pending)}
          <Button disabled={pending} onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" pending={pending}>
            {submitLabel}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}

type SignInAgainDialogProps = {
  portal: Portal;
  email: string;
  /** Called once, with true after the sign-in. */
  onClose: (isDone: boolean) => void;
};

/** Signs the page's user in above the open page or dialog. */
export function SignInAgainDialog({ portal, email, onClose }: SignInAgainDialogProps) {
  const [asksCode, setAsksCode] = useState(false);
  const submit = (data: FormData) =>
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
    );
  const leave = () => {
    const back = `${window.location.pathname}${window.location.search}`;
    window.location.assign(`${portals[portal].signIn}?next=${encodeURIComponent(back)}`);
  };
  return (
    <PasswordDialog
      title="Sign in again"
      description="Your session has ended. Nothing you entered is lost."
      email={email}
      submitLabel="Sign in"
      submit={submit}
      onSuccess={(outcome) => (outcome === 'code-needed' ? setAsksCode(true) : onClose(true))}
      onCancel={() => onClose(false)}
      intro={
        <p className="wrap-anywhere text-muted">
          Signed in as <span className="text-ink">{email}</span>
        </p>
      }
      leave={(pending) => (
        <Button variant="ghost" disabled={pending} className="mr-auto" onClick={leave}>
          Go to the sign-in page
        </Button>
      )}
    >
      {(errors, getPassword) =>
        asksCode ? (
          <>
            <SecondFactorField error={errors.code} />
            <PasskeyButton
              label="Use a passkey instead"
              begin={() => beginPasskeyStepAction({ portal, email, password: getPassword() })}
              finish={(response) =>
                passkeyStepAction({ portal, email, password: getPassword(), remember: false, response })
              }
              onDone={() => onClose(true)}
              fallback={actionFailure}
            />
          </>
        ) : null
      }
    </PasswordDialog>
  );
}

const path = '/api/auth/reauthenticate';

/**
 * Asks for the password above the open page or dialog.
 * @param onClose called once, with true when the server accepted the password
 */
export function ReauthenticationDialog({ onClose }: Pick<SignInAgainDialogProps, 'onClose'>) {
  const [email, setEmail] = useState('');
  useEffect(() => {
    // Only identifies the account to password managers; the form works without it.
    apiFetch<{ email: string }>(path).then(
      ({ email }) => setEmail(email),
      () => undefined,
    );
  }, []);
  return (
    <PasswordDialog
      title="Confirm your password"
      description="You must have confirmed your password within the last five minutes. Nothing you entered is lost."
      email={email}
      submitLabel="Continue"
      submit={(data) => apiFetch(path, { method: 'POST', body: { password: getFormText(data, 'password') } })}
      onSuccess={() => onClose(true)}
      onCancel={() => onClose(false)}
    >
      {() => (
        <PasskeyButton
          label="Use a passkey"
          begin={() => beginPasskeyConfirmationAction({})}
          finish={(response) => confirmWithPasskeyAction({ response })}
          onDone={() => onClose(true)}
          fallback={actionFailure}
        />
      )}
    </PasswordDialog>
  );
}
