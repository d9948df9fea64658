'use client';

import Link from 'next/link';
import type { ReactNode } from 'react';
import { CartLink } from '@/components/carts/cart-link';
import { SignInAgain } from '@/components/security/sign-in-again';
import type { CartCounts } from '@/components/sites/cart-count';
import { buttonClass } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { Money } from '@/components/ui/money';
import { pageAccountMeta } from '@/lib/browser/page-account';
import { AccountMenu, type AccountMenuLink } from './account-menu';
import type { Switcher } from './account-switcher';
import { Bell } from './bell';
import { Brand, type BrandIdentity } from './brand';
import type { ShellUser } from './nav';
import type { NavListProps } from './nav-list';
import { AccountWatch } from './page-account';
import { PaletteButton } from './palette-button';
import { ShellFrame } from './shell-frame';
import { ThemeToggle } from './theme-toggle';
import { Place, UserMenu } from './user-menu';
import { userRailOn } from './user-nav';

const accountLinks: readonly AccountMenuLink[] = [
  { href: '/user/billing', label: 'Billing', icon: 'landmark' },
  { href: '/user/people', label: 'People', icon: 'users' },
  { href: '/user/webhooks', label: 'Webhooks', icon: 'webhook' },
  { href: '/developers', label: 'API guide', icon: 'book-open' },
];

type UserShellProps = {
  brand: BrandIdentity;
  /** The name of the account, unless it is personal. */
  team: string | undefined;
  /** The hrefs of the screens that the member may not open, and of those that are turned off. */
  closed: readonly string[];
  badges: NavListProps['badges'];
  /** The numbers of the cart and of the bell; null where the top bar does not have them. */
  carts: CartCounts | null;
  unread: number | null;
  /** What only the user has; null where staff view the account. */
  own: OwnParts | null;
  banner: ReactNode;
  /** Above the page. */
  notice: ReactNode;
  children: ReactNode;
};

type OwnParts = {
  user: ShellUser;
  switcher: Switcher;
  /** The account that the browser asked for. */
  askedId: string;
  /** Null for members who may not see it. */
  balance: BalanceProps | null;
  /** Whether the user must set up two-step sign-in before anything else. */
  isOverdue: boolean;
};

/**
 * Renders the frame of the customer area. One client component with the data of its parts, because the server would
 * describe their elements in every page.
 */
export function UserShell(props: UserShellProps) {
  const { team, closed, carts, unread, own } = props;
  return (
    <ShellFrame
      menuLabel="Customer area"
      brand={
        <Link prefetch={false} href="/user" className="flex min-w-0 rounded-md">
          <Brand brand={props.brand} />
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
          <UserMenu closed={closed} badges={props.badges} />
        </>
      }
      menuWidth="w-[250px]"
      railOn={userRailOn}
      banner={props.banner}
      topBar={
        <>
          <Place team={team === undefined ? null : <TeamName team={team} />} />
          <div className="ml-auto flex items-center gap-2">
            {carts && <CartLink counts={carts} />}
            {own && <PaletteButton portal="user" user={own.user} closed={closed} isSmall />}
            {own?.balance && <WalletBalance {...own.balance} />}
            {unread === null ? null : (
              <Bell
                unread={unread}
                emptyText="No notifications yet. Orders, messages, reviews and payments appear here."
              />
            )}
            <ThemeToggle />
            {own && (
              <AccountMenu
                user={own.user}
                label="My Account"
                securityPath="/user/security"
                links={accountLinks.filter(({ href }) => !closed.includes(href))}
                switcher={own.isOverdue ? undefined : own.switcher}
                logoutEndpoint="/api/user/auth/logout"
                loginPath="/user/login"
              />
            )}
          </div>
        </>
      }
    >
      {props.notice}
      {own && (
        <>
          <SignInAgain portal="user" email={own.user.email} />
          <meta name={pageAccountMeta} content={own.switcher.activeId} data-team={team} />
          <AccountWatch
            userId={own.switcher.userId}
            accountId={own.switcher.activeId}
            team={team}
            askedId={own.askedId}
            names={Object.fromEntries(own.switcher.accounts.map(({ id, name }) => [id, name]))}
          />
        </>
      )}
      {props.children}
    </ShellFrame>
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

/** @property cents null where it could not be read  @property isLink whether the member may open the wallet */
type BalanceProps = { cents: number | null; isLink: boolean };

/** Displays the balance, with a link to the wallet for members who may open it. */
function WalletBalance({ cents, isLink }: BalanceProps) {
  const content = (
    <>
      <Icon name="wallet" className="text-subtle max-sm:hidden" />
      <span className="sr-only">Wallet balance</span>
      {cents === null ? '–' : <Money amountMinor={cents} />}
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
