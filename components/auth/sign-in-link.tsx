import Link from 'next/link';
import type { ReactNode } from 'react';
import { readSession, writeSession } from '@/components/shell/browser-storage';
import { portals } from '@/lib/auth/portals';

/** What the next sign-in page of this tab shows. */
type SignInPrefill = {
  email: string;
  /** Whether the user has just confirmed the address. */
  isConfirmed: boolean;
};

const key = 'sign_in_prefill';

/** Fills in the email of the next sign-in page. Storage keeps the address out of URLs, which are logged. */
export function prefillSignIn(prefill: SignInPrefill): void {
  writeSession(key, prefill);
}

/** Returns what `prefillSignIn` stored, once. */
export function takeSignInPrefill(): SignInPrefill | null {
  const stored = readSession(key);
  writeSession(key, null);
  return isPrefill(stored) ? stored : null;
}

function isPrefill(stored: unknown): stored is SignInPrefill {
  return (
    typeof stored === 'object' &&
    stored !== null &&
    'email' in stored &&
    typeof stored.email === 'string' &&
    'isConfirmed' in stored &&
    typeof stored.isConfirmed === 'boolean'
  );
}

/** Renders a link in the small print of the sign-in and account screens. */
export function AuthLink({ href, onClick, children }: { href: string; onClick?: () => void; children: ReactNode }) {
  return (
    <Link prefetch={false} href={href} onClick={onClick} className="rounded-sm text-accent-ink underline">
      {children}
    </Link>
  );
}

/** Names each sign-in page as the Seller Lounge's links do. */
const names: Record<string, string> = {
  [portals.user.signIn]: 'User sign in',
  [portals.admin.signIn]: 'Admin sign in',
  [portals.seller.signIn]: 'Seller Lounge',
};

/**
 * Renders a link to the sign-in page of the account's own portal, where the email is filled in. Renders nothing for any
 * other URL.
 * @param url the URL of a refused sign-in
 */
export function OwnSignInLink({ url, email = '' }: { url: string | null; email?: string }) {
  const name = url === null ? undefined : names[url];
  if (url === null || name === undefined) return null;
  return (
    <AuthLink href={url} onClick={() => prefillSignIn({ email, isConfirmed: false })}>
      {name}
    </AuthLink>
  );
}
