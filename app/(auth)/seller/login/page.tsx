import { AuthFrame, PanelHeadline } from '@/components/auth/auth-frame';
import { CreateAccountDialog } from '@/components/auth/sign-in-dialogs';
import { SignInForm } from '@/components/auth/sign-in-form';
import { AuthLink } from '@/components/auth/sign-in-link';
import { Icon, type IconName } from '@/components/ui/icon';
import { registerSellerAction } from '@/lib/auth/actions';
import { prepareSignIn } from '@/lib/auth/page-guard';
import { getBranding } from '@/lib/settings/branding/get-branding';
import { isFlagOn } from '@/lib/settings/feature-flags';

export const metadata = { title: 'Seller Lounge' };

type SellerLoginProps = { searchParams: Promise<{ next?: string | string[] }> };

export default async function SellerLogin({ searchParams }: SellerLoginProps) {
  const [signIn, brand, takesNew] = await Promise.all([
    prepareSignIn('seller', (await searchParams).next),
    getBranding(),
    isFlagOn('seller-registration'),
  ]);
  return (
    <AuthFrame
      brand={brand}
      title="Seller Lounge"
      subtitle="List your sites and track their review."
      panel={<SellerPanel />}
      footer={
        <div className="grid gap-6">
          <p className="flex flex-wrap justify-between gap-x-5 gap-y-2">
            {takesNew ? (
              <span>
                New here?{' '}
                <CreateAccountDialog
                  legal={brand.legal}
                  description="Create a seller account to list your sites and set your prices."
                  action={registerSellerAction}
                />
              </span>
            ) : null}
            <AuthLink href="/seller/forgot">Forgot password?</AuthLink>
          </p>
          <p className="flex flex-wrap gap-x-5 gap-y-2 border-line border-t pt-6">
            <span>Not a seller?</span>
            <AuthLink href="/user/login">User sign in</AuthLink>
            <AuthLink href="/admin/login">Admin sign in</AuthLink>
          </p>
        </div>
      }
    >
      <SignInForm portal="seller" legal={brand.legal} {...signIn} />
    </AuthFrame>
  );
}

const points: { title: string; text: string; icon: IconName }[] = [
  {
    title: 'Add sites by form or CSV',
    text: 'Add one site at a time, or upload a list. Skipped rows are listed with the reason.',
    icon: 'file-up',
  },
  { title: 'Set your price', text: 'Choose a price and a turnaround time for each placement.', icon: 'tag' },
  {
    title: 'Reviewed, then listed',
    text: 'We review new and edited sites first. Track which are approved, pending or rejected.',
    icon: 'badge-check',
  },
];

/** Describes the Seller Lounge beside the sign-in form. */
function SellerPanel() {
  return (
    <div className="grid gap-10">
      <PanelHeadline title="Sell placements on your sites.">
        Buyers choose by metrics and price. Put your inventory in front of them.
      </PanelHeadline>
      <ul className="grid gap-7">
        {points.map(({ title, text, icon }) => (
          <li key={title} className="flex gap-4">
            <span className="grid size-9 shrink-0 place-items-center rounded-lg border border-line bg-surface">
              <Icon name={icon} className="text-accent-ink" />
            </span>
            <div className="min-w-0">
              <p className="font-medium text-ink">{title}</p>
              <p className="mt-1 max-w-sm text-muted">{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}
