'use client';

import { type MouseEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { getFormText } from '@/components/form/fields';
import { PasswordField } from '@/components/form/password-field';
import { type FieldErrors, useApiForm } from '@/components/form/use-api-form';
import { preservePreferences } from '@/components/shell/browser-storage';
import { isAdmin } from '@/components/shell/nav';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Checkbox } from '@/components/ui/controls';
import { Icon } from '@/components/ui/icon';
import {
  beginPasskeySignInAction,
  beginPasskeyStepAction,
  passkeySignInAction,
  passkeyStepAction,
} from '@/lib/auth/passkey-actions';
import type { DemoAccount } from '@/lib/auth/password';
import { type Portal, statusMessages } from '@/lib/auth/portals';
import { ApiError, apiFetch } from '@/lib/browser/api-client';
import { type AgreedVersions, type LegalVersions, listPublished, toAgreedVersions } from '@/lib/settings/legal/legal';
import { AgreementField, agreementErrors, EmailField, SecondFactorField } from './account-fields';
import { useResend } from './email-verification';
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
 * Renders the sign-in form of a portal. After the password was accepted, the form requires a code of an account with
 * two-step sign-in, and the agreement of a customer or seller who has not agreed to the published documents; the input
 * stays.
 */
export function SignInForm({ portal, destination, demoAccount, legal }: SignInFormProps) {
  const [leaving, setLeaving] = useState(false);
  const [asksCode, setAsksCode] = useState(false);
  const [triedEmail, setTriedEmail] = useState('');
  const [ownSignIn, setOwnSignIn] = useState<string | null>(null);
  const [asksAgreement, setAsksAgreement] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const isConfirmed = usePrefill(form);
  const read = () => new FormData(form.current ?? undefined);
  const credentials = () => ({
    portal,
    email: getFormText(read(), 'email').trim(),
    password: getFormText(read(), 'password'),
  });
  // Staff are not asked.
  const agreement = () => portal !== 'admin' && { agreedTo: asksAgreement ? toAgreedVersions(legal) : {} };
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
        remember: data.has('remember'),
        ...agreement(),
      }).catch((cause: unknown) => {
        if (cause instanceof ApiError) setOwnSignIn(cause.url);
        throw cause;
      });
    },
    validate: (data) => ({ ...validate(data), ...(asksAgreement && agreementErrors(data, legal)) }),
    onSuccess: (outcome) => {
      if (outcome === 'code-needed') return setAsksCode(true);
      if (outcome === 'agreement-needed') return setAsksAgreement(true);
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
        <div className="grid gap-3">
          <p role="status" className="text-muted">
            {listPublished(legal).length > 0 ? 'To continue, read and agree to the current documents.' : staleDocuments}
          </p>
          <AgreementField legal={legal} error={fields.agreement} />
        </div>
      ) : null}
      <Checkbox name="remember" label={portal === 'admin' ? 'Remember me on this device' : 'Remember me for 30 days'} />
      <SubmitButton pending={pending || leaving}>Sign in</SubmitButton>
      <PasskeyButton
        key={String(asksCode)}
        label={asksCode ? 'Use a passkey instead' : 'Use a passkey'}
        begin={() => (asksCode ? beginPasskeyStepAction(credentials()) : beginPasskeySignInAction({}))}
        finish={(response) => {
          const choices = { remember: read().has('remember'), ...agreement(), response };
          return asksCode
            ? passkeyStepAction({ ...credentials(), ...choices })
            : passkeySignInAction({ portal, ...choices });
        }}
        onRefused={(cause) => {
          if (cause.fields.agreement) setAsksAgreement(true);
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

function validate(data: FormData): FieldErrors {
  return {
    ...(getFormText(data, 'email').trim() === '' && { email: 'Enter your email.' }),
    ...(getFormText(data, 'password') === '' && { password: 'Enter your password.' }),
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
    const submit = currentTarget.form?.querySelector('[type=submit]');
    if (submit instanceof HTMLElement) submit.focus();
  };
  return (
    <div className="flex items-center gap-3 rounded-md border border-line-strong border-dashed px-3 py-2.5">
      <Icon name="key-round" className="text-subtle" />
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

type Credentials = {
  email: string;
  password: string;
  code?: string;
  remember: boolean;
  agreedTo?: AgreedVersions;
};

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
 * @returns the page to open, or what else is needed when the password was accepted: the account's second step, or the
 * agreement to the documents
 * @throws ApiError with the text to show, or an empty one for `signInFallback`
 */
async function signIn(
  portal: Portal,
  credentials: Credentials,
): Promise<{ home: string } | 'code-needed' | 'agreement-needed'> {
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
    if (!(cause instanceof ApiError)) throw cause;
    if (cause.fields.code && credentials.code === undefined) return 'code-needed' as const;
    if (!cause.fields.agreement) throw cause;
    if (Object.keys(credentials.agreedTo ?? {}).length > 0) throw new ApiError(cause.status, staleDocuments);
    return 'agreement-needed' as const;
  });
  if (typeof answer === 'string') return answer;
  const session = await apiFetch<Parameters<typeof isAdmin>[0]>(`/api/${portal}/auth/me`).catch((cause: unknown) => {
    if (cause instanceof ApiError && cause.status > 0) throw new ApiError(cause.status, texts[portal].noSession);
    throw cause;
  });
  if (portal === 'admin' && !isAdmin(session)) throw new ApiError(403, 'Not an admin account.');
  return { home: answer.home };
}

const staleDocuments = 'The documents changed while this page was open. Reload it to read them.';

/** Renders the error of a sign-in with an unverified email address, with a button that requests a new link. */
function UnverifiedAlert({ email, children }: { email: string; children: string }) {
  const { resend, message, isPending, isSent } = useResend(email);
  return (
    <>
      <Alert tone="error">
        <p>{children}</p>
        {isSent ? null : (
          <Button size="sm" pending={isPending} onClick={() => void resend()} className="mt-2.5 mb-0.5">
            Resend link
          </Button>
        )}
      </Alert>
      {message}
    </>
  );
}
