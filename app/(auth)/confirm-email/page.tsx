import { AuthLink } from '@/components/auth/auth-link';
import { ConfirmEmail } from '@/components/auth/confirm-email';
import { AuthFrame } from '@/components/shell/auth-frame';
import { getBranding } from '@/lib/settings/branding/get-branding';
import { confirmEmailAction } from './actions';

// The address holds a secret: it shall not travel to other sites.
export const metadata = { title: 'Confirm email', referrer: 'no-referrer' };

type ConfirmEmailProps = { searchParams: Promise<{ token?: string | string[] }> };

/** Where the mail to a new address leads. A press confirms: programs that look into mails open links by themselves. */
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
