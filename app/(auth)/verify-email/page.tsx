import { AuthFrame } from '@/components/auth/auth-frame';
import { VerifyEmail } from '@/components/auth/email-verification';
import { AuthLink } from '@/components/auth/sign-in-link';
import { getBranding } from '@/lib/settings/branding/get-branding';

// The URL contains a secret, so it must not be sent to other sites.
export const metadata = { title: 'Verify email', referrer: 'no-referrer' };

type VerifyEmailProps = { searchParams: Promise<{ token?: string | string[] }> };

export default async function VerifyEmailPage({ searchParams }: VerifyEmailProps) {
  const { token = '' } = await searchParams;
  return (
    <AuthFrame
      brand={await getBranding()}
      title="Verify your email"
      footer={
        <p>
          <AuthLink href="/user/login">Back to sign in</AuthLink>
        </p>
      }
    >
      <VerifyEmail token={[token].flat()[0] ?? ''} />
    </AuthFrame>
  );
}
