import { PasswordHelp } from '@/components/auth/password-help';

// With a token the address holds a secret: it shall not travel to other sites.
export const metadata = { title: 'Forgot password', referrer: 'no-referrer' };

type ForgotProps = { searchParams: Promise<{ token?: string | string[] }> };

export default async function SellerForgot({ searchParams }: ForgotProps) {
  return <PasswordHelp portal="seller" token={(await searchParams).token} />;
}
