import { AuthFrame, PanelHeadline } from '@/components/auth/auth-frame';
import { CreateAccountDialog, ForgotPasswordDialog } from '@/components/auth/sign-in-dialogs';
import { SignInForm } from '@/components/auth/sign-in-form';
import { AuthLink } from '@/components/auth/sign-in-link';
import { Icon, type IconName } from '@/components/ui/icon';
import { prepareSignIn } from '@/lib/auth/page-guard';
import { getBranding } from '@/lib/settings/branding/get-branding';
import { isFlagOn } from '@/lib/settings/feature-flags';
import { type CatalogueStats, getCatalogueStats } from '@/lib/sites/catalogue/public-summary';

export const metadata = { title: 'Sign in' };

type UserLoginProps = { searchParams: Promise<{ next?: string | string[] }> };

export default async function UserLogin({ searchParams }: UserLoginProps) {
  const [signIn, figures, brand, takesNew, hasCatalog] = await Promise.all([
    prepareSignIn('user', (await searchParams).next),
    getCatalogueStats(),
    getBranding(),
    isFlagOn('registration'),
    isFlagOn('public-catalogue'),
  ]);
  const claims = [...new Set(brand.signInClaims.split('\n').filter(Boolean))];
  return (
    <AuthFrame
      brand={brand}
      title="Sign in"
      subtitle="Manage your projects, orders and wallet."
      panel={<BrandPanel figures={figures} claims={claims} />}
      footer={
        <div className="grid gap-8">
          <div className="grid gap-2">
            <p className="flex flex-wrap justify-between gap-x-5 gap-y-2">
              {takesNew ? (
                <span>
                  New here?{' '}
                  <CreateAccountDialog legal={brand.legal} description="Create an account to order placements." />
                </span>
              ) : null}
              <ForgotPasswordDialog />
            </p>
            {hasCatalog ? (
              <p>
                Not sure yet? <AuthLink href="/explore">See what’s on sale</AuthLink>
              </p>
            ) : null}
            <p>
              Do you sell placements? <AuthLink href="/seller/login">Go to the Seller Lounge</AuthLink>
            </p>
          </div>
          <BrandLine claims={claims} />
        </div>
      }
    >
      <SignInForm portal="user" legal={brand.legal} {...signIn} />
    </AuthFrame>
  );
}

const payments: { name: string; kind: string; icon: IconName }[] = [
  { name: 'Stripe', kind: 'Cards', icon: 'credit-card' },
  { name: 'PayPal', kind: 'Wallet', icon: 'wallet' },
  { name: 'WeChat Pay', kind: 'Mobile', icon: 'smartphone' },
];

/** Describes the marketplace beside the sign-in form. */
function BrandPanel({ figures, claims }: { figures: CatalogueStats; claims: readonly string[] }) {
  return (
    <div className="grid gap-9">
      <PanelHeadline title="Choose where your links go live.">
        Order guest posts and backlinks from one prepaid wallet, and track each one until it’s live.
      </PanelHeadline>
      <div className="grid gap-3">
        <p className="font-medium text-ink">DA/DR, traffic and keyword metrics</p>
        <MetricFigures figures={figures} />
      </div>
      <div className="grid gap-3">
        <p className="font-medium text-ink">Payments by</p>
        <ul className="grid grid-cols-3 gap-3">
          {payments.map(({ name, kind, icon }) => (
            <li key={name} className="rounded-lg border border-line bg-surface px-4 py-3">
              <Icon name={icon} className="text-subtle" />
              <span className="mt-3 block font-medium text-ink">{name}</span>
              <span className="block text-muted text-xs">{kind}</span>
            </li>
          ))}
        </ul>
      </div>
      {claims.length > 0 ? (
        <ul className="grid grid-cols-2 gap-3 border-line border-t pt-6">
          {claims.map((claim) => (
            <li key={claim} className="wrap-anywhere font-medium text-base text-ink">
              {claim}
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}

const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

/** Displays the highest metrics of the catalogue. Renders nothing if no site is on sale. */
function MetricFigures({ figures }: { figures: CatalogueStats }) {
  const { sites, topDa, topDr, topTraffic, topKeywords } = figures;
  const metrics = [
    { name: 'DA', top: topDa },
    { name: 'DR', top: topDr },
    { name: 'Traffic', top: topTraffic },
    { name: 'Keywords', top: topKeywords },
  ].filter(({ top }) => top > 0);
  if (metrics.length === 0) {
    return <p className="max-w-md text-muted">Metrics for every site, before you order.</p>;
  }
  return (
    <>
      <dl className="grid auto-cols-fr grid-flow-col divide-x divide-line rounded-lg border border-line bg-surface py-3">
        {metrics.map(({ name, top }) => (
          <div key={name} className="px-4">
            <dt className="text-muted text-xs">{name}</dt>
            <dd className="mt-1 font-medium text-base text-ink">{short.format(top)}</dd>
          </div>
        ))}
      </dl>
      <p className="text-muted text-xs">
        {sites === 1 ? 'From the one site on sale.' : `The highest of ${sites.toLocaleString('en-US')} sites on sale.`}
      </p>
    </>
  );
}

const lines: { text: string; icon: IconName }[] = [
  { text: 'DA/DR, traffic and keyword metrics', icon: 'chart-no-axes-combined' },
  { text: 'Payments by Stripe, PayPal and WeChat Pay', icon: 'credit-card' },
];

/** Renders a short form of BrandPanel for small screens. */
function BrandLine({ claims }: { claims: readonly string[] }) {
  return (
    <ul className="grid gap-2.5 border-line border-t pt-6 lg:hidden">
      {[...lines, ...claims.map((text) => ({ text, icon: 'check' as const }))].map(({ text, icon }) => (
        <li key={text} className="flex items-center gap-2.5">
          <Icon name={icon} className="text-subtle" />
          {text}
        </li>
      ))}
    </ul>
  );
}
