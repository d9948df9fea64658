'use client';

import { useRef, useState } from 'react';
import type { DemoAccount } from '@/lib/auth/demo-account';
import {
  beginPasskeySignInAction,
  beginPasskeyStepAction,
  passkeySignInAction,
  passkeyStepAction,
} from '@/lib/auth/passkey-actions';
import type { Portal } from '@/lib/auth/portals';
import { refusedStatus } from '@/lib/auth/refused-status';
import { PasswordField } from '../form/password-field';
import { textOf } from '../form/text-of';
import { type FieldErrors, useApiForm } from '../form/use-api-form';
import { Alert } from '../ui/alert';
import { Checkbox } from '../ui/checkbox';
import { AgreementField } from './agreement-field';
import { DemoAccountHint } from './demo-account-hint';
import { EmailField } from './email-field';
import { PasskeyButton } from './passkey-button';
import { SecondFactorField } from './second-factor-field';
import { signIn, signInFallback } from './sign-in-flow';
import { SubmitButton } from './submit-button';
import { UnverifiedAlert } from './unverified-alert';

type SignInFormProps = {
  portal: Portal;
  /** A path of our own, checked on the server. */
  destination: string;
  demoAccount: DemoAccount | null;
};

/**
 * The sign-in of a portal: customers and admins agree to the terms, sellers may be remembered (spec 000, section 2).
 * An account with two-step sign-in is asked for its code once the password was right; what was typed stays.
 */
export function SignInForm({ portal, destination, demoAccount }: SignInFormProps) {
  const [leaving, setLeaving] = useState(false);
  const [asksCode, setAsksCode] = useState(false);
  const [triedEmail, setTriedEmail] = useState('');
  const asksAgreement = portal !== 'seller';
  const form = useRef<HTMLFormElement>(null);
  const read = () => new FormData(form.current ?? undefined);
  const credentials = () => ({ portal, email: textOf(read(), 'email').trim(), password: textOf(read(), 'password') });
  const leave = () => {
    setLeaving(true);
    // A whole new document: nothing the router fetched for the stranger is used for the person. Back skips the form.
    window.location.replace(destination);
  };
  const { pending, error, fields, formProps } = useApiForm({
    submit: (data) => {
      const email = textOf(data, 'email').trim();
      setTriedEmail(email);
      return signIn(portal, {
        email,
        password: textOf(data, 'password'),
        ...(asksCode && { code: textOf(data, 'code').trim() }),
        ...(!asksAgreement && { remember: data.has('remember') }),
      });
    },
    validate: (data) => complaints(data, asksAgreement),
    onSuccess: (outcome) => {
      if (outcome === 'code-needed') return setAsksCode(true);
      leave();
    },
    fallback: (status) => signInFallback(portal, status),
  });
  return (
    <form ref={form} {...formProps} data-unmarked="" className="grid gap-5">
      {demoAccount ? <DemoAccountHint account={demoAccount} /> : null}
      {error === refusedStatus.Pending ? (
        <UnverifiedAlert email={triedEmail}>{error}</UnverifiedAlert>
      ) : error ? (
        <Alert tone="error">{error}</Alert>
      ) : null}
      <EmailField autoComplete="username" error={fields.email} />
      <PasswordField
        name="password"
        label="Password"
        required
        autoComplete="current-password"
        error={fields.password}
      />
      {asksCode ? <SecondFactorField error={fields.code} /> : null}
      {asksAgreement ? (
        <AgreementField error={fields.agreement} />
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
        onDone={leave}
        fallback={(status) => signInFallback(portal, status)}
      />
    </form>
  );
}

function complaints(data: FormData, asksAgreement: boolean): FieldErrors {
  return {
    ...(textOf(data, 'email').trim() === '' && { email: 'Enter your email.' }),
    ...(textOf(data, 'password') === '' && { password: 'Enter your password.' }),
    ...(asksAgreement && !data.has('agreement') && { agreement: 'You must agree to the terms to continue.' }),
  };
}
