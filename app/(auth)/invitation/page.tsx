import { AuthFrame } from '@/components/auth/auth-frame';
import { InvitationForm } from '@/components/auth/invitation-form';
import { Alert } from '@/components/ui/alert';
import { hasPermission } from '@/lib/access/authorize';
import { findEmailTokenOwner } from '@/lib/auth/email-token';
import { getBranding } from '@/lib/settings/branding/get-branding';
import { noLegalVersions } from '@/lib/settings/legal/legal';
import { acceptInvitationAction } from '@/lib/users/actions';

// The URL contains a secret, so it must not be sent to other sites.
export const metadata = { title: 'Invitation', referrer: 'no-referrer' };

type InvitationProps = { searchParams: Promise<{ token?: string | string[] }> };

/** Renders the page of a mailed invitation. Opening it changes nothing: mail scanners open links. */
export default async function InvitationPage({ searchParams }: InvitationProps) {
  const token = [(await searchParams).token ?? ''].flat()[0] ?? '';
  const [brand, owner] = await Promise.all([getBranding(), findEmailTokenOwner(token, 'invite')]);
  return (
    <AuthFrame
      brand={brand}
      title="Set your password"
      subtitle={owner ? <span className="wrap-anywhere">{`For ${owner.email} at ${brand.siteName}.`}</span> : undefined}
    >
      {owner ? (
        <InvitationForm
          token={token}
          email={owner.email}
          legal={hasPermission(owner, 'AdminDashboard') ? noLegalVersions : brand.legal}
          accept={acceptInvitationAction}
        />
      ) : (
        <Alert tone="error">
          This invitation is no longer valid: it was used, replaced, revoked or is older than 7 days. Ask the team for a
          new one.
        </Alert>
      )}
    </AuthFrame>
  );
}
