import { AuthLink } from '@/components/auth/auth-link';
import { RegisterForm } from '@/components/auth/register-form';
import { AuthFrame } from '@/components/shell/auth-frame';
import { getBranding } from '@/lib/settings/get-branding';

export const metadata = { title: 'Register' };

export default async function Register() {
  return (
    <AuthFrame
      brand={await getBranding()}
      title="Register"
      subtitle="An account to order placements with."
      footer={
        <p>
          Do you have an account? <AuthLink href="/login">Sign in</AuthLink>
        </p>
      }
    >
      <RegisterForm />
    </AuthFrame>
  );
}
