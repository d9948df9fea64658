import { AuthLink } from '@/components/auth/auth-link';
import { FeaturePanel } from '@/components/auth/feature-panel';
import { RegisterForm } from '@/components/auth/register-form';
import { AuthFrame } from '@/components/shell/auth-frame';
import { Alert } from '@/components/ui/alert';
import { listFeatures } from '@/lib/features/queries';
import { flags } from '@/lib/flags/flags';
import { isFlagOn } from '@/lib/flags/read-flags';
import { getBranding } from '@/lib/settings/get-branding';

export const metadata = { title: 'Register' };

export default async function Register() {
  const [brand, takesNew, features] = await Promise.all([getBranding(), isFlagOn('registration'), listFeatures()]);
  return (
    <AuthFrame
      brand={brand}
      panel={
        features.length > 0 ? (
          <FeaturePanel siteName={brand.siteName} tagline={brand.tagline} features={features} />
        ) : null
      }
      title="Register"
      subtitle="An account to order placements with."
      footer={
        <p>
          Do you have an account? <AuthLink href="/login">Sign in</AuthLink>
        </p>
      }
    >
      {takesNew ? <RegisterForm /> : <Alert tone="info">{flags.registration.off}</Alert>}
    </AuthFrame>
  );
}
