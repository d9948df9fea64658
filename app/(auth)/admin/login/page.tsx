import { AuthFrame } from '@/components/auth/auth-frame';
import { SignInForm } from '@/components/auth/sign-in-form';
import { prepareSignIn } from '@/lib/auth/page-guard';
import { getBranding } from '@/lib/settings/branding/get-branding';

export const metadata = { title: 'Admin Sign in' };

type AdminLoginProps = { searchParams: Promise<{ next?: string | string[] }> };

export default async function AdminLogin({ searchParams }: AdminLoginProps) {
  const [signIn, brand] = await Promise.all([prepareSignIn('admin', (await searchParams).next), getBranding()]);
  return (
    <AuthFrame brand={brand} title="Admin Sign in" subtitle="Admins only">
      <SignInForm portal="admin" legal={brand.legal} {...signIn} />
    </AuthFrame>
  );
}
