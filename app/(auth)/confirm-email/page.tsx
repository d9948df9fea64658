import { AuthFrame } from '@/components/auth/auth-frame';
import { ConfirmEmail } from '@/components/auth/email-verification';
import { AuthLink } from '@/components/auth/sign-in-link';
import { getBranding } from '@/lib/settings/branding/get-branding';
import { confirmEmailAction } from '@/lib/users/actions';

// The URL contains a secret, so it must not be sent to other sites.
export const metadata = { title: 'Confirm email', referrer: 'no-referrer' };

type ConfirmEmailProps = { searchParams: Promise<{ token?: string | string[] }> };

/** Confirms a new email address. Confirmation requires a click, because mail scanners open links automatically. */
export default async function ConfirmEmailPage({ searchParams }: ConfirmEmailProps) {
  const { token = '' } = await searchParams;
  return (
    <AuthFrame
      brand={await getBranding()}
      title="Confirm your new email"
      footer={
        <p>
          <AuthLink href="/admin/login">Go to sign in</AuthLink>
        </p>
      }
    >
      <ConfirmEmail token={[token].flat()[0] ?? ''} confirm={confirmEmailAction} />
    </AuthFrame>
  );
}
