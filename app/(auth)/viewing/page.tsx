import { redirect } from 'next/navigation';
import { AuthFrame } from '@/components/auth/auth-frame';
import { AuthLink } from '@/components/auth/sign-in-link';
import { StopViewing } from '@/components/shell/viewing-banner';
import { currentActor } from '@/lib/auth/current-actor';
import { getOwnPortal } from '@/lib/auth/portal-home';
import { portals } from '@/lib/auth/portals';
import { viewedUserPage } from '@/lib/auth/viewing';
import { getBranding } from '@/lib/settings/branding/get-branding';

export const metadata = { title: 'View as' };

/** Renders the page shown in place of one that a view of another user's portal does not show. */
export default async function ViewingPage() {
  const [actor, brand] = await Promise.all([currentActor(), getBranding()]);
  if (!actor?.viewing) redirect(portals.admin.home);
  if (actor.viewing.isOver) redirect(viewedUserPage(actor.viewing.userId));
  return (
    <AuthFrame
      brand={brand}
      title="Not shown while you view an account"
      subtitle={<span className="wrap-anywhere">{`You view ${actor.email}.`}</span>}
    >
      <p className="text-muted">
        The wallet, new orders, invoices, earnings, payouts, webhooks and security of the account stay hidden, and the
        admin area opens again when you stop.
      </p>
      <div className="mt-6 flex flex-wrap items-center gap-5">
        <AuthLink href={portals[getOwnPortal(actor)].home}>Back to the view</AuthLink>
        <StopViewing />
      </div>
    </AuthFrame>
  );
}
