import { AuthFrame, PanelHeadline } from '@/components/auth/auth-frame';
import { RegisterForm } from '@/components/auth/register-form';
import { AuthLink } from '@/components/auth/sign-in-link';
import { Alert } from '@/components/ui/alert';
import { Icon } from '@/components/ui/icon';
import { redirectToSetup } from '@/lib/auth/page-guard';
import { getBranding } from '@/lib/settings/branding/get-branding';
import { flags, isFlagOn } from '@/lib/settings/feature-flags';
import { listHighlights } from '@/lib/settings/signup-highlights';

export const metadata = { title: 'Register' };

export default async function Register() {
  await redirectToSetup();
  const [brand, takesNew, features] = await Promise.all([getBranding(), isFlagOn('registration'), listHighlights()]);
  return (
    <AuthFrame
      brand={brand}
      panel={
        features.length > 0 ? (
          <FeaturePanel siteName={brand.siteName} tagline={brand.tagline} features={features} />
        ) : null
      }
      title="Register"
      subtitle="Create an account to order placements."
      footer={
        <p>
          Do you have an account? <AuthLink href="/login">Sign in</AuthLink>
        </p>
      }
    >
      {takesNew ? <RegisterForm legal={brand.legal} /> : <Alert tone="info">{flags.registration.off}</Alert>}
    </AuthFrame>
  );
}

type FeaturePanelProps = {
  siteName: string;
  tagline: string;
  features: readonly { id: string; name: string; description: string }[];
};

/** Lists the sign-up highlights beside the registration form. */
function FeaturePanel({ siteName, tagline, features }: FeaturePanelProps) {
  return (
    <div className="grid gap-10">
      <PanelHeadline title={`What you get with ${siteName}`}>{tagline || 'Included with every account.'}</PanelHeadline>
      <ul className="grid gap-6">
        {features.map(({ id, name, description }) => (
          <li key={id} className="flex gap-4">
            <span className="grid size-7 shrink-0 place-items-center rounded-lg border border-line bg-surface">
              <Icon name="check" className="text-accent-ink" />
            </span>
            <div className="wrap-anywhere min-w-0">
              <p className="font-medium text-ink">{name}</p>
              {description ? <p className="mt-1 max-w-md text-muted">{description}</p> : null}
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}
