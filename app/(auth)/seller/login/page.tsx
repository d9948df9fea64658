import Link from 'next/link';
import { SignInForm } from '@/components/auth/sign-in-form';
import { AuthFrame } from '@/components/shell/auth-frame';
import { openSignIn } from '@/lib/auth/open-sign-in';

export const metadata = { title: 'Seller Lounge' };

type SellerLoginProps = { searchParams: Promise<{ next?: string | string[] }> };

export default async function SellerLogin({ searchParams }: SellerLoginProps) {
  const signIn = await openSignIn('seller', (await searchParams).next);
  return (
    <AuthFrame
      title="Seller Lounge"
      subtitle="List your sites and see how they are reviewed."
      footer={
        <p className="flex flex-wrap gap-x-5 gap-y-2">
          <OtherDoor href="/user/login">User sign in</OtherDoor>
          <OtherDoor href="/admin/login">Admin sign in</OtherDoor>
        </p>
      }
    >
      <SignInForm portal="seller" {...signIn} />
    </AuthFrame>
  );
}

function OtherDoor({ href, children }: { href: string; children: string }) {
  return (
    <Link href={href} prefetch={false} className="rounded-sm py-0.5 text-accent-ink underline">
      {children}
    </Link>
  );
}
