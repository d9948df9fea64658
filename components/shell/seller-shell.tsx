'use client';

import Link from 'next/link';
import type { ReactNode } from 'react';
import { SignInAgain } from '@/components/security/sign-in-again';
import { pageAccountMeta } from '@/lib/browser/page-account';
import { AccountMenu, type AccountMenuLink } from './account-menu';
import { Bell } from './bell';
import { Brand, type BrandIdentity } from './brand';
import { LogoutButton } from './logout-button';
import type { ShellUser } from './nav';
import type { NavListProps } from './nav-list';
import { PaletteButton } from './palette-button';
import { SellerMenu } from './seller-menu';
import { SiteSearch, Support } from './seller-tools';
import { ShellFrame } from './shell-frame';
import { ThemeToggle } from './theme-toggle';

const accountLinks: readonly AccountMenuLink[] = [
  { href: '/seller/webhooks', label: 'Webhooks', icon: 'webhook' },
  { href: '/developers', label: 'API guide', icon: 'book-open' },
];

type SellerShellProps = {
  brand: BrandIdentity;
  /** The support address; '' when none is configured. */
  supportAddress: string;
  email: string;
  /** The signed-in user; null where staff view the portal, which then has no menu of the account. */
  own: { id: string; user: ShellUser } | null;
  /** The hrefs of the screens that are turned off. */
  closed: readonly string[];
  badges: NavListProps['badges'];
  /** Null where the top bar has no bell. */
  unread: number | null;
  banner: ReactNode;
  /** Above the page. */
  notice: ReactNode;
  children: ReactNode;
};

/**
 * Renders the frame of the seller portal. One client component with the data of its parts, because the server would
 * describe their elements in every page.
 */
export function SellerShell(props: SellerShellProps) {
  const { email, own, closed, unread } = props;
  return (
    <ShellFrame
      menuLabel="Seller portal"
      brand={
        <Link prefetch={false} href="/seller" className="flex min-w-0 rounded-md">
          <Brand brand={props.brand} />
        </Link>
      }
      menu={<SellerMenu list="main" closed={closed} badges={props.badges} />}
      menuWidth="w-[250px]"
      banner={props.banner}
      menuFooter={
        <div className="flex flex-col gap-1">
          <ThemeToggle withLabel className="w-full justify-start px-2.5" />
          <SellerMenu list="account" linkClassName="font-medium" />
          {own && <LogoutButton endpoint="/api/seller/auth/logout" loginPath="/seller/login" />}
          <p className="mt-2 px-2.5 text-xs">
            <span className="block text-subtle">Signed in as</span>
            <span className="block truncate text-ink">{email}</span>
          </p>
        </div>
      }
      topBar={
        <>
          <SiteSearch action="/seller/my-sites" />
          <div className="ml-auto flex items-center gap-1">
            {own && <PaletteButton portal="seller" user={own.user} closed={closed} isHidden />}
            {unread === null ? null : (
              <Bell
                unread={unread}
                sitesHref="/seller/my-sites"
                emptyText="No notifications yet. Orders, site reviews and announcements appear here."
              />
            )}
            <Support address={props.supportAddress} templateHref="/seller/my-sites/template" />
            {own && (
              <AccountMenu
                user={own.user}
                securityPath="/seller/security"
                links={accountLinks}
                logoutEndpoint="/api/seller/auth/logout"
                loginPath="/seller/login"
              />
            )}
          </div>
        </>
      }
    >
      {props.notice}
      {own && (
        <>
          <SignInAgain portal="seller" email={email} />
          <meta name={pageAccountMeta} content={own.id} />
        </>
      )}
      {props.children}
    </ShellFrame>
  );
}
