import { portals } from '@/lib/auth/portals';
import { AuthLink } from './auth-link';
import { prefillSignIn } from './sign-in-prefill';

/** Names each sign-in page as the Seller Lounge's links do. */
const names: Record<string, string> = {
  [portals.user.signIn]: 'User sign in',
  [portals.admin.signIn]: 'Admin sign in',
  [portals.seller.signIn]: 'Seller Lounge',
};

/**
 * A link to the sign-in page of the account's own portal, where the email is filled in. Renders nothing for any other
 * URL.
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
