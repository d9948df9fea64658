import { PasswordHelp } from '@/components/auth/password-help';
import { getBranding } from '@/lib/settings/branding/get-branding';

// The URL may contain a token, so it must not be sent to other sites.
export const metadata = { title: 'Forgot password', referrer: 'no-referrer' };

type ForgotProps = { searchParams: Promise<{ token?: string | string[] }> };

export default async function SellerForgot({ searchParams }: ForgotProps) {
  const [{ token }, brand] = await Promise.all([searchParams, getBranding()]);
  return <PasswordHelp brand={brand} portal="seller" token={token} />;
}
