import { cookies } from 'next/headers';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { CartLink } from '@/components/carts/cart-link';
import { SignInAgain } from '@/components/security/sign-in-again';
import { AccountMenu, type AccountMenuLink } from '@/components/shell/account-menu';
import { Bell } from '@/components/shell/bell';
import { Brand } from '@/components/shell/brand';
import { SandboxBanner, TwoStepNotice } from '@/components/shell/notices';
import { AccountWatch } from '@/components/shell/page-account';
import { PaletteButton } from '@/components/shell/palette-button';
import { ShellFrame } from '@/components/shell/shell-frame';
import { ThemeToggle } from '@/components/shell/theme-toggle';
import { Place, UserMenu } from '@/components/shell/user-menu';
import { newProjectPath, requestsPath, userRailOn, userScreens } from '@/components/shell/user-nav';
import { ViewingBanner } from '@/components/shell/viewing-banner';
import { buttonClass } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { Money } from '@/components/ui/money';
import { accountCookie } from '@/lib/access/account-choice';
import { type AccountRight, hasAccountRight } from '@/lib/access/account-roles';
import type { Actor } from '@/lib/access/actor';
import { listAccounts } from '@/lib/accounts/queries';
import { accountRoleNames } from '@/lib/accounts/role-names';
import { requirePage, shellUser } from '@/lib/auth/page-guard';
import { isTwoStepOverdue } from '@/lib/auth/two-step';
import { pageAccountMeta } from '@/lib/browser/page-account';
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
  const [branding, frame, isMarketplaceOpen, accounts] = await Promise.all([
    getBranding(),
    isOverdue ? noFrame : loadOrEmpty('wallet balance and bell', getBuyerLayout(actor), noFrame),
    isFlagOn('marketplace'),
    nameAccounts(actor),
  ]);
  const user = shellUser(actor);
  const { balanceCents, unread, carts } = frame;
  const may = (right: AccountRight) => hasAccountRight(actor.accountRole, right);
  const closed = userScreens
    .filter(({ href, right }) => (right && !may(right)) || (href === '/user/marketplace' && !isMarketplaceOpen))
    .map(({ href }) => href)
    .concat(frame.isLimited ? [] : [requestsPath], actor.projectIds === null ? [] : [newProjectPath]);
  const badges =
    frame.requests > 0 && actor.accountRole !== 'buyer'
      ? { [requestsPath]: { text: frame.requests.toLocaleString('en-US'), meaning: 'open' } }
      : {};
  const links: AccountMenuLink[] = [
    { href: '/user/billing', label: 'Billing', icon: 'landmark' },
    { href: '/user/people', label: 'People', icon: 'users' },
    { href: '/user/webhooks', label: 'Webhooks', icon: 'webhook' },
    { href: '/developers', label: 'API guide', icon: 'book-open' },
  ];
  const active = accounts.find(({ id }) => id === actor.accountId);
  const team = actor.accountId === actor.userId ? undefined : (active?.name ?? actor.accountName);
  return (
    <ShellFrame
      menuLabel="Customer area"
      brand={
        <Link prefetch={false} href="/user" className="flex min-w-0 rounded-md">
          <Brand brand={branding} />
        </Link>
      }
      menu={
        <>
          {/* On phones, the top bar has no room for it. */}
          {team === undefined ? null : (
            <p className="mb-2 px-2.5 sm:hidden">
              <TeamName team={team} />
            </p>
          )}
          <UserMenu closed={closed} badges={badges} />
        </>
      }
      menuWidth="w-[250px]"
      railOn={userRailOn}
      banner={actor.viewing ? <ViewingBanner actor={actor} /> : env().STRIPE_BASE_URL ? <SandboxBanner /> : null}
      topBar={
        <>
          <Place team={team === undefined ? null : <TeamName team={team} />} />
          <div className="ml-auto flex items-center gap-2">
            {isOverdue || !may('account:orders') ? null : (
              <CartLink counts={Object.fromEntries(carts.map(({ id, count: sites }) => [id, sites]))} />
            )}
            {actor.viewing ? null : (
              <>
                <PaletteButton portal="user" user={user} closed={closed} isSmall />
                {may('account:balance') ? (
                  <WalletBalance balanceCents={balanceCents} isLink={may('account:wallet')} />
                ) : null}
              </>
            )}
            {isOverdue || actor.viewing ? null : (
              <Bell
                unread={unread}
                emptyText="No notifications yet. Orders, messages, reviews and payments appear here."
              />
            )}
            <ThemeToggle />
            {actor.viewing ? null : (
              <AccountMenu
                user={user}
                label="My Account"
                securityPath="/user/security"
                links={links.filter(({ href }) => !closed.includes(href))}
                switcher={isOverdue ? undefined : { userId: actor.userId, activeId: actor.accountId, team, accounts }}
                logoutEndpoint="/api/user/auth/logout"
                loginPath="/user/login"
              />
            )}
          </div>
        </>
      }
    >
      <TwoStepNotice portal="user" actor={actor} />
      {actor.viewing ? null : (
        <>
          <SignInAgain portal="user" email={actor.email} />
          <meta name={pageAccountMeta} content={actor.accountId} data-team={team} />
          <AccountWatch
            userId={actor.userId}
            accountId={actor.accountId}
            team={team}
            askedId={(await cookies()).get(accountCookie)?.value || actor.userId}
            names={Object.fromEntries(accounts.map(({ id, name }) => [id, name]))}
          />
        </>
      )}
      {children}
    </ShellFrame>
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

function TeamName({ team }: { team: string }) {
  return (
    <span className="flex min-w-0 items-center gap-1.5 text-ink text-sm">
      <Icon name="users" className="text-subtle" />
      <span className="sr-only">Account: </span>
      <span className="truncate font-medium">{team}</span>
    </span>
  );
}

/** Displays the balance, with a link to the wallet for members who may open it. */
function WalletBalance({ balanceCents, isLink }: { balanceCents: number | null; isLink: boolean }) {
  const content = (
    <>
      <Icon name="wallet" className="text-subtle max-sm:hidden" />
      <span className="sr-only">Wallet balance</span>
      {balanceCents === null ? '–' : <Money amountMinor={balanceCents} />}
    </>
  );
  if (!isLink) return <span className="inline-flex items-center gap-2 px-2 text-muted text-sm">{content}</span>;
  return (
    <Link
      prefetch={false}
      href="/user/wallet"
      className={buttonClass({ size: 'sm', className: 'rounded-full max-sm:px-2.5' })}
    >
      {content}
    </Link>
  );
}
