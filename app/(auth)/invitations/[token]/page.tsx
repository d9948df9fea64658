import Link from 'next/link';
import { AuthFrame } from '@/components/auth/auth-frame';
import { JoinAccount, UseOtherAddress } from '@/components/auth/join-account';
import { AuthLink } from '@/components/auth/sign-in-link';
import { Alert } from '@/components/ui/alert';
import { buttonClass } from '@/components/ui/button';
import type { Actor } from '@/lib/access/actor';
import { switchAccountAction } from '@/lib/accounts/actions';
import { findInvitation, isInvited } from '@/lib/accounts/join';
import { accountRoleNames } from '@/lib/accounts/role-names';
import { currentActor } from '@/lib/auth/current-actor';
import { getBranding } from '@/lib/settings/branding/get-branding';

// The URL contains a secret, so it must not be sent to other sites.
export const metadata = { title: 'Invitation', referrer: 'no-referrer', robots: { index: false, follow: false } };

type InvitationProps = { params: Promise<{ token: string }> };

/** Renders the page of a mailed invitation to an account. */
export default async function MemberInvitationPage({ params }: InvitationProps) {
  const { token } = await params;
  const [brand, actor, invitation] = await Promise.all([getBranding(), currentActor(), findInvitation(token)]);
  return (
    <AuthFrame
      brand={brand}
      title={
        <span className="wrap-anywhere">{invitation ? `Join “${invitation.account}”` : 'Invitation not found'}</span>
      }
    >
      {invitation ? (
        <div className="grid gap-6">
          <p className="wrap-anywhere text-muted">
            {`${invitation.inviter || invitation.inviterEmail} (${invitation.inviterEmail}) invites you to work in this account at ${brand.siteName}, with the role ${accountRoleNames[invitation.role]}. The invitation works until ${day.format(invitation.expiresAt)} (UTC).`}
          </p>
          <Answer token={token} invitation={invitation} actor={actor} />
        </div>
      ) : (
        <Alert tone="error">
          This invitation is no longer valid: it was accepted, replaced or withdrawn, or is older than 7 days. Ask for a
          new one.
        </Alert>
      )}
    </AuthFrame>
  );
}

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

type Invitation = NonNullable<Awaited<ReturnType<typeof findInvitation>>>;
type AnswerProps = { token: string; invitation: Invitation; actor: Actor | null };

/** Renders what the visitor can do: sign in, use the invited address, accept, or open the account. */
function Answer({ token, invitation, actor }: AnswerProps) {
  const signIn = `/user/login?next=${encodeURIComponent(`/invitations/${token}`)}`;
  if (!actor) {
    return (
      <>
        <Link prefetch={false} href={signIn} className={buttonClass({ variant: 'primary', size: 'lg' })}>
          Sign in to accept
        </Link>
        <p className="text-muted text-sm">
          Are you new here? <AuthLink href="/register">Register</AuthLink> with the address that the invitation was sent
          to, confirm it, and open the link of the invitation again.
        </p>
      </>
    );
  }
  if (actor.memberOf.includes(invitation.accountId)) {
    return (
      <>
        <Alert tone="info">You are already a member.</Alert>
        <JoinAccount accountId={invitation.accountId} token={null} switchAccount={switchAccountAction} />
      </>
    );
  }
  if (!isInvited(invitation, actor)) {
    return (
      <>
        <Alert tone="info">
          <span className="wrap-anywhere">
            {`You are signed in as ${actor.email}, but the invitation was sent to another address. Sign in with that one, or ask for an invitation to this one.`}
          </span>
        </Alert>
        <UseOtherAddress signIn={signIn} />
      </>
    );
  }
  return (
    <>
      <p className="wrap-anywhere text-muted">{`You are signed in as ${actor.email}.`}</p>
      <JoinAccount accountId={invitation.accountId} token={token} switchAccount={switchAccountAction} />
    </>
  );
}
