import { AuthFrame } from '@/components/auth/auth-frame';
import { VerifyEmail } from '@/components/auth/email-verification';
import { AuthLink } from '@/components/auth/sign-in-link';
import { currentActor } from '@/lib/auth/current-actor';
import { findEmailTokenOwner } from '@/lib/auth/email-token';
import { findUsedVerification } from '@/lib/auth/verify-email';
import { getBranding } from '@/lib/settings/branding/get-branding';

// The URL contains a secret, so it must not be sent to other sites.
export const metadata = { title: 'Verify email', referrer: 'no-referrer' };

type VerifyEmailProps = { searchParams: Promise<{ token?: string | string[] }> };

export default async function VerifyEmailPage({ searchParams }: VerifyEmailProps) {
  const { token: given = '' } = await searchParams;
  const token = [given].flat()[0] ?? '';
  const [brand, actor, owner, used] = await Promise.all([
    getBranding(),
    currentActor(),
    findEmailTokenOwner(token, 'verify-email'),
    findUsedVerification(token),
  ]);
  return (
    <AuthFrame
      brand={brand}
      title="Verify your email"
      footer={
        <p>
          <AuthLink href="/user/login">Back to sign in</AuthLink>
        </p>
      }
    >
      <VerifyEmail
        token={token}
        address={owner?.email ?? null}
        usedSignIn={used?.signIn ?? null}
        signedInAs={actor?.email ?? null}
      />
    </AuthFrame>
  );
}
