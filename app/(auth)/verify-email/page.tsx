import { VerifyEmail } from '@/components/auth/verify-email';
import { AuthFrame } from '@/components/shell/auth-frame';

// The address holds a secret: it shall not travel to other sites.
export const metadata = { title: 'Verify email', referrer: 'no-referrer' };

type VerifyEmailProps = { searchParams: Promise<{ token?: string | string[] }> };

export default async function VerifyEmailPage({ searchParams }: VerifyEmailProps) {
  const { token = '' } = await searchParams;
  return (
    <AuthFrame title="Verify your email">
      <VerifyEmail token={[token].flat()[0] ?? ''} />
    </AuthFrame>
  );
}
