import { BookOpen, Landmark, Wallet, Webhook } from 'lucide-react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { CartLink } from '@/components/carts/cart-link';
import { SignInAgain } from '@/components/security/sign-in-again';
import { AccountMenu } from '@/components/shell/account-menu';
import { Bell } from '@/components/shell/bell';
import { Brand, BrandLogo } from '@/components/shell/brand';
import { SandboxBanner, TwoStepNotice } from '@/components/shell/notices';
import { PaletteButton } from '@/components/shell/palette-button';
import { ShellFrame } from '@/components/shell/shell-frame';
import { ThemeToggle } from '@/components/shell/theme-toggle';
import { Place, UserMenu } from '@/components/shell/user-menu';
import { requestsPath, userMenuHiddenOn } from '@/components/shell/user-nav';
import { ViewingBanner } from '@/components/shell/viewing-banner';
import { buttonClass } from '@/components/ui/button';
import { Money } from '@/components/ui/money';
import { type AccountRight, hasAccountRight } from '@/lib/access/account-roles';
import { requirePage, shellUser } from '@/lib/auth/page-guard';
import { isTwoStepOverdue } from '@/lib/auth/two-step';
import { getBuyerLayout } from '@/lib/dashboard/buyer';
import { loadOrEmpty } from '@/lib/dashboard/load-or-empty';
import { env } from '@/lib/env';
import { getBranding } from '@/lib/settings/branding/get-branding';
import { isFlagOn } from '@/lib/settings/feature-flags';

const noFrame = { balanceCents: null, mayTopUp: true, isLimited: false, unread: 0, carts: [], requests: 0 };

/** The screens of the menu for whose role of the account they are. */
const screenRights: Record<string, AccountRight> = {
  '/user/marketplace': 'account:orders',
  '/user/projects': 'account:orders',
  '/user/orders': 'account:orders',
  '/user/wallet': 'account:wallet',
};

/** Renders the layout of the customer area. */
export default async function UserLayout({ children }: { children: ReactNode }) {
  const actor = await requirePage('user', 'session', { beforeTwoStep: true });
  const isOverdue = isTwoStepOverdue(actor);
  const [branding, frame, isMarketplaceOpen] = await Promise.all([
    getBranding(),
    isOverdue ? noFrame : loadOrEmpty('wallet balance and bell', getBuyerLayout(actor), noFrame),
    isFlagOn('marketplace'),
  ]);
  const user = shellUser(actor);
  const { balanceCents, mayTopUp, unread, carts, requests } = frame;
  const has = (right: AccountRight) => hasAccountRight(actor.accountRole, right);
  const closed = [
    ...(isMarketplaceOpen ? [] : ['/user/marketplace']),
    ...(frame.isLimited ? [] : [requestsPath]),
    ...Object.entries(screenRights).flatMap(([href, right]) => (has(right) ? [] : [href])),
  ];
  const badges =
    requests > 0 && actor.accountRole !== 'buyer'
      ? { [requestsPath]: { text: requests.toLocaleString('en-US'), meaning: 'open' } }
      : {};
  return (
    <ShellFrame
      menuLabel="Customer area"
      brand={
        <Link prefetch={false} href="/user" className="flex min-w-0 rounded-md">
          <Brand brand={branding} />
        </Link>
      }
      menu={<UserMenu closed={closed} badges={badges} />}
      menuWidth="w-[250px]"
      menuHiddenOn={userMenuHiddenOn}
      banner={actor.viewing ? <ViewingBanner actor={actor} /> : env().STRIPE_BASE_URL ? <SandboxBanner /> : null}
      rail={
        <nav aria-label="Customer area">
          <Link
            prefetch={false}
            href="/user"
            aria-label={`${branding.siteName}, dashboard`}
            className="flex h-(--top-bar) items-center px-4"
          >
            <BrandLogo logo={branding.logo} isSquare />
          </Link>
          <div className="px-2 py-2">
            <UserMenu closed={closed} isIcon linkClassName="justify-center" />
          </div>
        </nav>
      }
      topBar={
        <>
          <Place />
          <div className="ml-auto flex items-center gap-2">
            {isOverdue || !has('account:orders') ? null : (
              <CartLink counts={Object.fromEntries(carts.map(({ id, count: sites }) => [id, sites]))} />
            )}
            {actor.viewing ? null : (
              <>
                <PaletteButton portal="user" user={user} closed={closed} isSmall />
                {isOverdue || has('account:balance') ? <WalletLink {...{ balanceCents, mayTopUp }} /> : null}
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
                links={[
                  { href: '/user/billing', label: 'Billing', icon: <Landmark className="size-4" /> },
                  { href: '/user/webhooks', label: 'Webhooks', icon: <Webhook className="size-4" /> },
                  { href: '/developers', label: 'API guide', icon: <BookOpen className="size-4" /> },
                ]}
                logoutEndpoint="/api/user/auth/logout"
                loginPath="/user/login"
              />
            )}
          </div>
        </>
      }
    >
      <TwoStepNotice portal="user" actor={actor} />
      {actor.viewing ? null : <SignInAgain portal="user" email={actor.email} />}
      {children}
    </ShellFrame>
  );
}

/** Displays the balance, with a link to the wallet for who may top it up. */
function WalletLink({ balanceCents, mayTopUp }: { balanceCents: number | null; mayTopUp: boolean }) {
  const balance = (
    <>
      <Wallet className="size-4 text-subtle max-sm:hidden" />
      <span className="sr-only">Wallet balance</span>
      {balanceCents === null ? '–' : <Money amountMinor={balanceCents} />}
    </>
  );
  if (!mayTopUp) return <span className="inline-flex items-center gap-1.5 px-2 text-muted text-sm">{balance}</span>;
  return (
    <Link
      prefetch={false}
      href="/user/wallet"
      className={buttonClass({ size: 'sm', className: 'rounded-full max-sm:px-2.5' })}
    >
      {balance}
    </Link>
  );
}
