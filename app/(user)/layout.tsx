import { cookies } from 'next/headers';
import type { ReactNode } from 'react';
import { TwoStepNotice } from '@/components/shell/notices';
import { SandboxBanner } from '@/components/shell/sandbox-banner';
import { newProjectPath, requestsPath, userScreens } from '@/components/shell/user-nav';
import { UserShell } from '@/components/shell/user-shell';
import { ViewingBanner } from '@/components/shell/viewing-banner';
import { accountCookie } from '@/lib/access/account-choice';
import { type AccountRight, hasAccountRight } from '@/lib/access/account-roles';
import type { Actor } from '@/lib/access/actor';
import { listAccounts } from '@/lib/accounts/queries';
import { accountRoleNames } from '@/lib/accounts/role-names';
import { requirePage, shellUser } from '@/lib/auth/page-guard';
import { isTwoStepOverdue } from '@/lib/auth/two-step';
import { getBuyerLayout } from '@/lib/dashboard/buyer';
import { loadOrEmpty } from '@/lib/dashboard/load-or-empty';
import { env } from '@/lib/env';
import { personalAccountName } from '@/lib/notifications/notice-words';
import { getBranding } from '@/lib/settings/branding/get-branding';
import { isFlagOn } from '@/lib/settings/feature-flags';

const noFrame = { balanceCents: null, isLimited: false, unread: 0, carts: [], requests: 0 };

/** Renders the layout of the customer area. */
export default async function UserLayout({ children }: { children: ReactNode }) {
  const actor = await requirePage('user', 'session', { beforeTwoStep: true });
  const isOverdue = isTwoStepOverdue(actor);
  const [{ siteName, logo }, frame, isMarketplaceOpen, accounts] = await Promise.all([
    getBranding(),
    isOverdue ? noFrame : loadOrEmpty('wallet balance and bell', getBuyerLayout(actor), noFrame),
    isFlagOn('marketplace'),
    nameAccounts(actor),
  ]);
  const { balanceCents, unread, carts } = frame;
  const may = (right: AccountRight) => hasAccountRight(actor.accountRole, right);
  const closed = userScreens
    .filter(({ href, right }) => (right && !may(right)) || (href === '/user/marketplace' && !isMarketplaceOpen))
    .map(({ href }) => href)
    .concat(frame.isLimited ? [] : [requestsPath], actor.projectIds === null ? [] : [newProjectPath]);
  const badges =
    frame.requests > 0 && actor.accountRole !== 'buyer'
      ? { [requestsPath]: { text: frame.requests.toLocaleString('en-US'), meaning: 'open' } }
      : undefined;
  const active = accounts.find(({ id }) => id === actor.accountId);
  const team = actor.accountId === actor.userId ? undefined : (active?.name ?? actor.accountName);
  return (
    <UserShell
      brand={{ siteName, logo }}
      {...{ team, closed, badges }}
      carts={
        isOverdue || !may('account:orders')
          ? null
          : Object.fromEntries(carts.map(({ id, count: sites }) => [id, sites]))
      }
      unread={isOverdue || actor.viewing ? null : unread}
      own={
        actor.viewing
          ? null
          : {
              user: shellUser(actor),
              switcher: { userId: actor.userId, activeId: actor.accountId, team, accounts },
              askedId: (await cookies()).get(accountCookie)?.value || actor.userId,
              balance: may('account:balance') ? { cents: balanceCents, isLink: may('account:wallet') } : null,
              isOverdue,
            }
      }
      banner={actor.viewing ? <ViewingBanner actor={actor} /> : env().STRIPE_BASE_URL ? <SandboxBanner /> : null}
      notice={<TwoStepNotice portal="user" actor={actor} />}
    >
      {children}
    </UserShell>
  );
}

/** Lists the accounts of the user as the menu shows them; in a view by staff only that one. */
async function nameAccounts(actor: Actor) {
  const personal = { id: actor.userId, name: personalAccountName, role: accountRoleNames.owner };
  if (actor.viewing || actor.memberOf.length < 2) return [personal];
  const rows = await loadOrEmpty('accounts', listAccounts(actor), []);
  return rows.map(({ id, name, role }) =>
    id === actor.userId ? personal : { id, name, role: accountRoleNames[role] },
  );
}
