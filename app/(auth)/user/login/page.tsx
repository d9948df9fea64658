import Link from 'next/link';
import { BrandLine, BrandPanel } from '@/components/auth/brand-panel';
import { SignInForm } from '@/components/auth/sign-in-form';
import { AuthFrame } from '@/components/shell/auth-frame';
import { openSignIn } from '@/lib/auth/open-sign-in';

export const metadata = { title: 'Sign in' };

type UserLoginProps = { searchParams: Promise<{ next?: string | string[] }> };

export default async function UserLogin({ searchParams }: UserLoginProps) {
  const signIn = await openSignIn('user', (await searchParams).next);
  return (
    <AuthFrame
      title="Sign in"
      subtitle="To your projects, orders and wallet."
      panel={<BrandPanel />}
      footer={
        <div className="grid gap-8">
          <p>
            Do you sell placements?{' '}
            <Link href="/seller/login" prefetch={false} className="rounded-sm text-accent-ink underline">
              Go to the Seller Lounge
            </Link>
          </p>
          <BrandLine />
        </div>
      }
    >
      <SignInForm portal="user" {...signIn} />
    </AuthFrame>
  );
}
