import { AuthLink } from '@/components/auth/auth-link';
import { CreateAccountDialog } from '@/components/auth/create-account-dialog';
import { SellerPanel } from '@/components/auth/seller-panel';
import { SignInForm } from '@/components/auth/sign-in-form';
import { AuthFrame } from '@/components/shell/auth-frame';
import { openSignIn } from '@/lib/auth/open-sign-in';
import { isFlagOn } from '@/lib/flags/read-flags';
import { getBranding } from '@/lib/settings/get-branding';
import { registerSellerAction } from './actions';

export const metadata = { title: 'Seller Lounge' };

type SellerLoginProps = { searchParams: Promise<{ next?: string | string[] }> };

export default async function SellerLogin({ searchParams }: SellerLoginProps) {
  const [signIn, brand, takesNew] = await Promise.all([
    openSignIn('seller', (await searchParams).next),
    getBranding(),
    isFlagOn('seller-registration'),
  ]);
  return (
    <AuthFrame
      brand={brand}
      title="Seller Lounge"
      subtitle="List your sites and see how they are reviewed."
      panel={<SellerPanel />}
      footer={
        <div className="grid gap-6">
          <p className="flex flex-wrap justify-between gap-x-5 gap-y-2">
            {takesNew ? (
              <span>
                New here?{' '}
                <CreateAccountDialog
                  description="A seller account: list your sites and set your prices."
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
      <SignInForm portal="seller" {...signIn} />
    </AuthFrame>
  );
}
