import type { Portal } from '@/lib/auth/portals';
import { type AuthBrand, AuthFrame } from './auth-frame';
import { ForgotForm, ResetForm } from './password-reset';
import { AuthLink } from './sign-in-link';

type PasswordHelpProps = {
  brand: AuthBrand;
  portal: Exclude<Portal, 'admin'>;
  /** The `token` parameter of the URL; undefined without one. */
  token: string | string[] | undefined;
};

/** Renders the forgot-password screen of a portal, or with a token the reset screen. */
export function PasswordHelp({ brand, portal, token }: PasswordHelpProps) {
  const signIn = `/${portal}/login`;
  const back = (
    <p>
      <AuthLink href={signIn}>Back to sign in</AuthLink>
    </p>
  );
  if (token === undefined) {
    return (
      <AuthFrame brand={brand} title="Forgot password" subtitle="We’ll email you a reset link." footer={back}>
        <ForgotForm />
      </AuthFrame>
    );
  }
  return (
    <AuthFrame brand={brand} title="Set a new password" subtitle="You’ll be signed out on other devices." footer={back}>
      <ResetForm token={[token].flat()[0] ?? ''} signIn={signIn} forgot={`/${portal}/forgot`} />
    </AuthFrame>
  );
}
