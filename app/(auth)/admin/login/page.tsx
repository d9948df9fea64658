import { SignInForm } from '@/components/auth/sign-in-form';
import { AuthFrame } from '@/components/shell/auth-frame';
import { openSignIn } from '@/lib/auth/open-sign-in';
import { getBranding } from '@/lib/settings/branding/get-branding';

export const metadata = { title: 'Admin Sign in' };

type AdminLoginProps = { searchParams: Promise<{ next?: string | string[] }> };

export default async function AdminLogin({ searchParams }: AdminLoginProps) {
  const [signIn, brand] = await Promise.all([openSignIn('admin', (await searchParams).next), getBranding()]);
  return (
    <AuthFrame brand={brand} title="Admin Sign in" subtitle="Admins only">
      <SignInForm portal="admin" {...signIn} />
    </AuthFrame>
  );
}
