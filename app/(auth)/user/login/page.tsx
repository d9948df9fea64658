import { AuthLink } from '@/components/auth/auth-link';
import { BrandLine } from '@/components/auth/brand-line';
import { BrandPanel } from '@/components/auth/brand-panel';
import { CreateAccountDialog } from '@/components/auth/create-account-dialog';
import { ForgotPasswordDialog } from '@/components/auth/forgot-password-dialog';
import { SignInForm } from '@/components/auth/sign-in-form';
import { AuthFrame } from '@/components/shell/auth-frame';
import { openSignIn } from '@/lib/auth/open-sign-in';
import { isFlagOn } from '@/lib/flags/read-flags';
import { getBranding } from '@/lib/settings/get-branding';
import { getListedFigures } from '@/lib/sites/listed-figures';

export const metadata = { title: 'Sign in' };

type UserLoginProps = { searchParams: Promise<{ next?: string | string[] }> };

export default async function UserLogin({ searchParams }: UserLoginProps) {
  const [signIn, figures, brand, takesNew] = await Promise.all([
    openSignIn('user', (await searchParams).next),
    getListedFigures(),
    getBranding(),
    isFlagOn('registration'),
  ]);
  return (
    <AuthFrame
      brand={brand}
      title="Sign in"
      subtitle="To your projects, orders and wallet."
      panel={<BrandPanel figures={figures} />}
      footer={
        <div className="grid gap-8">
          <div className="grid gap-2">
            <p className="flex flex-wrap justify-between gap-x-5 gap-y-2">
              {takesNew ? (
                <span>
                  New here? <CreateAccountDialog description="An account to order placements with." />
                </span>
              ) : null}
              <ForgotPasswordDialog />
            </p>
            <p>
              Do you sell placements? <AuthLink href="/seller/login">Go to the Seller Lounge</AuthLink>
            </p>
          </div>
          <BrandLine />
        </div>
      }
    >
      <SignInForm portal="user" {...signIn} />
    </AuthFrame>
  );
}
