import { AuthLink } from '@/components/auth/auth-link';
import { VerifyEmail } from '@/components/auth/verify-email';
import { AuthFrame } from '@/components/shell/auth-frame';
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
