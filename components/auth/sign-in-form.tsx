'use client';

import { KeyRound } from 'lucide-react';
import { type MouseEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { getFormText } from '@/components/form/fields';
import { PasswordField } from '@/components/form/password-field';
import { type FieldErrors, useApiForm } from '@/components/form/use-api-form';
import { preservePreferences } from '@/components/shell/browser-storage';
import { isAdmin } from '@/components/shell/nav';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Checkbox } from '@/components/ui/controls';
import {
  beginPasskeySignInAction,
  beginPasskeyStepAction,
  passkeySignInAction,
  passkeyStepAction,
} from '@/lib/auth/passkey-actions';
import type { DemoAccount } from '@/lib/auth/password';
import { type Portal, statusMessages } from '@/lib/auth/portals';
import { ApiError, apiFetch } from '@/lib/browser/api-client';
import { type LegalVersions, toAgreedVersions } from '@/lib/settings/legal/legal';
import { AgreementField, EmailField, SecondFactorField } from './account-fields';
import { cannotResend, resendVerification, resent } from './email-verification';
import { PasskeyButton } from './passkey';
import { OwnSignInLink, takeSignInPrefill } from './sign-in-link';
import { SubmitButton } from './submit-button';

type SignInFormProps = {
  portal: Portal;
  /** A path of this app, validated on the server; null for the home that the sign-in returns. */
  destination: string | null;
  demoAccount: DemoAccount | null;
  legal: LegalVersions;
};

/**
 * Renders the sign-in form of a portal. Customers and admins accept the terms; sellers can stay signed in. For an
 * account with two-step sign-in the form requires a code after the password was accepted; the input stays.
 */
export function SignInForm({ portal, destination, demoAccount, legal }: SignInFormProps) {
  const [leaving, setLeaving] = useState(false);
  const [asksCode, setAsksCode] = useState(false);
  const [triedEmail, setTriedEmail] = useState('');
  const [ownSignIn, setOwnSignIn] = useState<string | null>(null);
  const asksAgreement = portal !== 'seller';
  const form = useRef<HTMLFormElement>(null);
  const isConfirmed = usePrefill(form);
  const read = () => new FormData(form.current ?? undefined);
  const credentials = () => ({
    portal,
    email: getFormText(read(), 'email').trim(),
    password: getFormText(read(), 'password'),
  });
  const leave = (home: string) => {
    setLeaving(true);
    // A full page load discards the router's cache from before the sign-in. `replace` keeps the form out of the
    // history.
    window.location.replace(destination ?? home);
  };
  const { pending, error, fields, formProps } = useApiForm({
    submit: (data) => {
      const email = getFormText(data, 'email').trim();
      setTriedEmail(email);
      setOwnSignIn(null);
      return signIn(portal, {
        email,
        password: getFormText(data, 'password'),
        ...(asksCode && { code: getFormText(data, 'code').trim() }),
        ...(asksAgreement ? { agreedTo: toAgreedVersions(legal) } : { remember: data.has('remember') }),
      }).catch((cause: unknown) => {
        if (cause instanceof ApiError) setOwnSignIn(cause.url);
        throw cause;
      });
    },
    validate: (data) => validate(data, asksAgreement),
    onSuccess: (outcome) => {
      if (outcome === 'code-needed') return setAsksCode(true);
      leave(outcome.home);
    },
    fallback: (status) => signInFallback(portal, status),
  });
  return (
    <form ref={form} {...formProps} data-unmarked="" className="grid gap-5">
      {demoAccount ? <DemoAccountHint account={demoAccount} /> : null}
      {error === statusMessages.Pending ? (
        <UnverifiedAlert email={triedEmail}>{error}</UnverifiedAlert>
      ) : error ? (
        <Alert tone="error">
          {error} <OwnSignInLink url={ownSignIn} email={triedEmail} />
        </Alert>
      ) : isConfirmed ? (
        <Alert tone="success">Email confirmed. Sign in to continue.</Alert>
      ) : null}
      <EmailField autoComplete="username" error={fields.email} />
      <PasswordField
        name="password"
        label="Password"
        required
        autoComplete="current-password"
        error={fields.password}
      />
      {asksCode ? (
        <SecondFactorField
          hint="Enter the 6-digit code from your authenticator app, or a recovery code."
          error={fields.code}
        />
      ) : null}
      {asksAgreement ? (
        <AgreementField legal={legal} error={fields.agreement} />
      ) : (
        <Checkbox name="remember" label="Remember me for 30 days" />
      )}
      <SubmitButton pending={pending || leaving}>Sign in</SubmitButton>
      <PasskeyButton
        key={String(asksCode)}
        label={asksCode ? 'Use a passkey instead' : 'Use a passkey'}
        begin={() => (asksCode ? beginPasskeyStepAction(credentials()) : beginPasskeySignInAction({}))}
        finish={(response) => {
          const remember = !asksAgreement && read().has('remember');
          return asksCode
            ? passkeyStepAction({ ...credentials(), remember, response })
            : passkeySignInAction({ portal, remember, response });
        }}
        onDone={({ home }) => leave(home)}
        fallback={(status) => signInFallback(portal, status)}
      />
    </form>
  );
}

/**
 * Fills in the email with which another page led to this one, and moves the focus to the password.
 * @returns whether the user has just confirmed that address
 */
function usePrefill(form: RefObject<HTMLFormElement | null>): boolean {
  const [isConfirmed, setIsConfirmed] = useState(false);
  useEffect(() => {
    const prefill = takeSignInPrefill();
    const [email, password] = ['email', 'password'].map((name) => form.current?.elements.namedItem(name));
    if (!prefill?.email || !(email instanceof HTMLInputElement) || !(password instanceof HTMLInputElement)) return;
    email.value = prefill.email;
    password.focus();
    setIsConfirmed(prefill.isConfirmed);
  }, [form]);
  return isConfirmed;
}

function validate(data: FormData, asksAgreement: boolean): FieldErrors {
  return {
    ...(getFormText(data, 'email').trim() === '' && { email: 'Enter your email.' }),
    ...(getFormText(data, 'password') === '' && { password: 'Enter your password.' }),
    ...(asksAgreement && !data.has('agreement') && { agreement: 'You must agree to the terms to continue.' }),
  };
}

/** Shows a demo account, in the demo only, with a button that fills in its credentials. */
function DemoAccountHint({ account }: { account: DemoAccount }) {
  const fillIn = ({ currentTarget }: MouseEvent<HTMLButtonElement>) => {
    const fields = currentTarget.form?.elements;
    for (const [name, value] of Object.entries(account)) {
      const field = fields?.namedItem(name);
      if (!(field instanceof HTMLInputElement)) continue;
      field.value = value;
      // Clears the error under the field, as typing does.
      field.dispatchEvent(new Event('input', { bubbles: true }));
    }
    const agreement = fields?.namedItem('agreement');
    if (agreement instanceof HTMLInputElement) agreement.focus();
  };
  return (
    <div className="flex items-center gap-3 rounded-md border border-line-strong border-dashed px-3 py-2.5">
      <KeyRound className="size-4 text-subtle" />
      <div className="min-w-0 flex-1">
        <p className="font-medium text-ink text-sm">Demo account</p>
        <p className="truncate text-muted text-xs">{account.email}</p>
      </div>
      <Button size="sm" onClick={fillIn}>
        Fill in
      </Button>
    </div>
  );
}

type Credentials = { email: string; password: string; code?: string; remember?: boolean };

/** The error messages of each portal. */
const commonTexts = { denied: 'Invalid credentials.', network: 'Server error. Try again.' };
const texts: Record<Portal, { denied: string; noSession: string; network: string }> = {
  user: { ...commonTexts, noSession: 'Could not establish session.' },
  admin: { ...commonTexts, noSession: 'Could not establish admin session.' },
  seller: { denied: 'Login failed', noSession: 'Login failed', network: 'Network error. Please try again.' },
};

/** Returns the message of a failed sign-in where the server sent no text. */
function signInFallback(portal: Portal, status: number): string {
  return status === 0 ? texts[portal].network : texts[portal].denied;
}

/**
 * Ends an existing session (failures are ignored), signs in, then checks that the session exists and belongs to this
 * portal.
 * @returns the page to open, or 'code-needed' when the password was accepted and the account requires its second step
 * @throws ApiError with the text to show, or an empty one for `signInFallback`
 */
async function signIn(portal: Portal, credentials: Credentials): Promise<{ home: string } | 'code-needed'> {
  await preservePreferences(() =>
    Promise.allSettled([
      apiFetch(`/api/${portal}/auth/logout`, { method: 'POST' }),
      apiFetch('/api/auth/logout', { method: 'POST' }),
    ]),
  );
  const answer = await apiFetch<{ home: string }>(`/api/${portal}/auth/login`, {
    method: 'POST',
    body: credentials,
  }).catch((cause: unknown) => {
    if (cause instanceof ApiError && cause.fields.code && credentials.code === undefined) return null;
    throw cause;
  });
  if (answer === null) return 'code-needed';
  const session = await apiFetch<Parameters<typeof isAdmin>[0]>(`/api/${portal}/auth/me`).catch((cause: unknown) => {
    if (cause instanceof ApiError && cause.status > 0) throw new ApiError(cause.status, texts[portal].noSession);
    throw cause;
  });
  if (portal === 'admin' && !isAdmin(session)) throw new ApiError(403, 'Not an admin account.');
  return { home: answer.home };
}

/** Renders the error of a sign-in with an unverified email address, with a button that requests a new link. */
function UnverifiedAlert({ email, children }: { email: string; children: string }) {
  const [step, setStep] = useState<'asking' | 'sending' | 'sent' | 'failed'>('asking');
  const resend = async () => {
    setStep('sending');
    const [outcome] = await Promise.allSettled([resendVerification(email)]);
    setStep(outcome.status === 'fulfilled' ? 'sent' : 'failed');
  };
  return (
    <>
      <Alert tone="error">
        <p>{children}</p>
        {step === 'sent' ? null : (
          <Button size="sm" pending={step === 'sending'} onClick={resend} className="mt-2.5 mb-0.5">
            Resend link
          </Button>
        )}
      </Alert>
      {step === 'sent' ? <Alert tone="success">{resent}</Alert> : null}
      {step === 'failed' ? <Alert tone="error">{cannotResend}</Alert> : null}
    </>
  );
}
