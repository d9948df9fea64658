'use client';

import { useRef, useState } from 'react';
import { getFormText } from '@/components/form/fields';
import { useApiForm } from '@/components/form/use-api-form';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Spinner } from '@/components/ui/progress';
import { useHydrated } from '@/components/ui/use-hydrated';
import { ApiError, apiFetch, readAction } from '@/lib/browser/api-client';
import type { ActionResult } from '@/lib/platform/http/action';
import { EmailField, validateEmail } from './account-fields';
import { AuthLink, prefillSignIn } from './sign-in-link';
import { SubmitButton, useDelayed } from './submit-button';

// The first text is the same for every address, so that it does not disclose accounts.
const resent = 'If the email exists and is pending, a new link was sent.';
const cannotResend = 'Couldn’t send right now. Try again later.';

/** Requests a new verification link. @throws ApiError when the request fails */
function resendVerification(email: string): Promise<unknown> {
  return apiFetch('/api/user/auth/verify/resend', { method: 'POST', body: { email } });
}

/** Requests a new link by a button. The message is the same for every address. */
export function useResend(email: string) {
  const [step, setStep] = useState<'asking' | 'sending' | 'sent' | 'failed'>('asking');
  const resend = async () => {
    setStep('sending');
    const [outcome] = await Promise.allSettled([resendVerification(email)]);
    setStep(outcome.status === 'fulfilled' ? 'sent' : 'failed');
  };
  const message =
    step === 'sent' ? (
      <Alert tone="success">{resent}</Alert>
    ) : step === 'failed' ? (
      <Alert tone="error">{cannotResend}</Alert>
    ) : null;
  return { resend, message, isPending: step === 'sending', isSent: step === 'sent' };
}

/** Leaves time to read the message. */
const redirectDelayMs = 1_200;

type Verified = { email: string; home: string; isSignedIn?: boolean };
type Failure = { message: string; signIn?: string | null; mayRetry: boolean };
type State = 'waiting' | 'pending' | 'verified' | 'kept' | Failure;

type VerifyEmailProps = {
  token: string;
  /** The address that an open link confirms. */
  address: string | null;
  /** The sign-in page of the account of a used link whose address is confirmed. */
  usedSignIn: string | null;
  /** The user who is signed in in this browser. */
  signedInAs: string | null;
};

/**
 * Verifies the email address when the user presses the button, signs the user in, and offers a new link after a failure.
 * Mail scanners open links automatically, some in a browser, so opening the page verifies nothing. A session of another
 * user stays: the link may be one that its sender wants the reader to sign in with.
 */
export function VerifyEmail({ token, address, usedSignIn, signedInAs }: VerifyEmailProps) {
  const [state, setState] = useState<State>(initialState(token, usedSignIn));
  const hydrated = useHydrated();
  const home = useRef('/user');
  const { start } = useDelayed(redirectDelayMs, () => window.location.replace(home.current));
  const send = async () => {
    setState('pending');
    const outcome = await verify(token);
    if ('message' in outcome) return setState(outcome);
    if (!outcome.isSignedIn && signedInAs !== null) return setState('kept');
    if (!outcome.isSignedIn) prefillSignIn({ email: outcome.email, isConfirmed: true });
    home.current = outcome.home;
    setState('verified');
    start();
  };

  if (state === 'verified') return <Alert tone="success">Email verified! Redirecting…</Alert>;
  if (state === 'kept') {
    return (
      <Alert tone="success">
        {`Email verified. You are still signed in as ${signedInAs}; sign out to use the other account.`}
      </Alert>
    );
  }
  if (state === 'pending') {
    return (
      <p role="status" className="flex items-center gap-2.5 text-muted">
        <Spinner /> Verifying your email…
      </p>
    );
  }
  if (state === 'waiting') {
    return (
      <div className="grid gap-5">
        <p className="wrap-anywhere text-muted">
          {address ? `Confirm that ${address} is your email address.` : 'Confirm that this email address is yours.'}
          {' If you did not create this account, close the page: someone else knows its password.'}
          {signedInAs === null ? null : ` You stay signed in as ${signedInAs}.`}
        </p>
        <Button variant="primary" size="lg" disabled={!hydrated} onClick={() => void send()}>
          Verify email
        </Button>
      </div>
    );
  }
  if (state.signIn) {
    return (
      <Alert tone="info">
        Already verified. <AuthLink href={state.signIn}>Sign in</AuthLink>.
      </Alert>
    );
  }
  return (
    <div className="grid gap-8">
      <Alert
        tone="error"
        action={
          state.mayRetry ? (
            <Button size="sm" onClick={() => void send()}>
              Try again
            </Button>
          ) : null
        }
      >
        {state.message}
      </Alert>
      <ResendForm />
    </div>
  );
}

function initialState(token: string, usedSignIn: string | null): State {
  if (token === '') return { message: 'Missing verification token.', mayRetry: false };
  return usedSignIn === null ? 'waiting' : { message: '', signIn: usedSignIn, mayRetry: false };
}

/** Verifies the address. @returns the address and the home of the account's portal, or the error message */
async function verify(token: string): Promise<Verified | Failure> {
  try {
    return await apiFetch<Verified>(`/api/user/auth/verify?token=${encodeURIComponent(token)}`);
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause;
    if (cause.status === 0) return { message: 'Network error. Please try again.', mayRetry: true };
    return { message: cause.message || 'Verification failed.', signIn: cause.url, mayRetry: cause.status >= 500 };
  }
}

/** Requests a new verification link; the response does not disclose accounts. */
function ResendForm() {
  const [sent, setSent] = useState(false);
  const { pending, error, fields, formProps } = useApiForm({
    validate: validateEmail,
    submit: (data) => {
      setSent(false);
      return resendVerification(getFormText(data, 'email').trim());
    },
    onSuccess: () => setSent(true),
    fallback: () => cannotResend,
  });
  return (
    <form {...formProps} data-unmarked="" className="grid gap-5">
      <p className="text-muted">Links expire after 24 hours and work once. Request a new one here.</p>
      {sent ? <Alert tone="success">{resent}</Alert> : null}
      {error ? <Alert tone="error">{cannotResend}</Alert> : null}
      <EmailField autoComplete="email" error={fields.email} />
      <SubmitButton pending={pending}>Resend link</SubmitButton>
    </form>
  );
}

type ConfirmEmailProps = {
  token: string;
  confirm: (input: { token: string }) => Promise<ActionResult<{ email: string }>>;
};

/** Confirms the new email address of an account by a mailed link. */
export function ConfirmEmail({ token, confirm }: ConfirmEmailProps) {
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<string | null>(token === '' ? 'Missing token.' : null);
  const [email, setEmail] = useState<string | null>(null);
  const send = async () => {
    setPending(true);
    setError(null);
    try {
      setEmail((await readAction(confirm({ token }))).email);
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      setError(cause.message || 'Network error. Please try again.');
    } finally {
      setPending(false);
    }
  };
  if (email) return <Alert tone="success">{`Your email is now ${email}. Use it to sign in.`}</Alert>;
  return (
    <div className="grid gap-5">
      {error ? <Alert tone="error">{error}</Alert> : null}
      <p className="text-muted">After you confirm, you sign in and receive emails with this address.</p>
      <Button variant="primary" size="lg" pending={pending} disabled={token === ''} onClick={() => void send()}>
        Confirm new email
      </Button>
    </div>
  );
}
