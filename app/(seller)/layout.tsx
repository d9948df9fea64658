import Link from 'next/link';
import type { ReactNode } from 'react';
import { SignInAgain } from '@/components/security/sign-in-again';
import { AccountMenu } from '@/components/shell/account-menu';
import { Bell } from '@/components/shell/bell';
import { Brand } from '@/components/shell/brand';
import { LogoutButton } from '@/components/shell/logout-button';
import { SandboxBanner, TwoStepNotice } from '@/components/shell/notices';
import { PaletteButton } from '@/components/shell/palette-button';
import { SellerMenu } from '@/components/shell/seller-menu';
import { ShellFrame } from '@/components/shell/shell-frame';
import { ThemeToggle } from '@/components/shell/theme-toggle';
import { ViewingBanner } from '@/components/shell/viewing-banner';
import { formatCount } from '@/components/ui/format';
import { requirePage, shellUser } from '@/lib/auth/page-guard';
import { isTwoStepOverdue } from '@/lib/auth/two-step';
import { pageAccountMeta } from '@/lib/browser/page-account';
import { getSellerFrame, type SellerFrame } from '@/lib/dashboard/seller';
import { env } from '@/lib/env';
import { getBranding } from '@/lib/settings/branding/get-branding';
import { SiteSearch, Support } from './_components/header-tools';

const noFrame: SellerFrame = { unread: 0, toAnswer: { total: 0, isCapped: false }, hasPayouts: false };

/** Renders the layout of the seller portal. */
export default async function SellerLayout({ children }: { children: ReactNode }) {
  const actor = await requirePage('seller', 'seller', { beforeTwoStep: true });
  const isOverdue = isTwoStepOverdue(actor);
  const [branding, frame] = await Promise.all([getBranding(), isOverdue ? noFrame : getSellerFrame(actor)]);
  const user = shellUser(actor);
  const closed = frame.hasPayouts ? [] : ['/seller/payouts'];
  return (
    <ShellFrame
      menuLabel="Seller portal"
      brand={
        <Link prefetch={false} href="/seller" className="flex min-w-0 rounded-md">
          <Brand brand={branding} />
        </Link>
      }
      menu={
        <SellerMenu
          list="main"
          closed={closed}
          badges={
            frame.toAnswer.total > 0
              ? { '/seller/orders': { text: formatCount(frame.toAnswer), meaning: 'to answer' } }
              : {}
          }
        />
      }
      menuWidth="w-[250px]"
      banner={actor.viewing ? <ViewingBanner actor={actor} /> : env().STRIPE_BASE_URL ? <SandboxBanner /> : null}
      menuFooter={
        <div className="flex flex-col gap-1">
          <ThemeToggle withLabel className="w-full justify-start px-2.5" />
          <SellerMenu list="account" linkClassName="font-medium" />
          {actor.viewing ? null : <LogoutButton endpoint="/api/seller/auth/logout" loginPath="/seller/login" />}
          <p className="mt-2 px-2.5 text-xs">
            <span className="block text-subtle">Signed in as</span>
            <span className="block truncate text-ink">{user.email}</span>
          </p>
        </div>
      }
      topBar={
        <>
          <SiteSearch action="/seller/my-sites" />
          <div className="ml-auto flex items-center gap-1">
            {actor.viewing ? null : <PaletteButton portal="seller" user={user} closed={closed} isHidden />}
            {isOverdue || actor.viewing ? null : (
              <Bell
                unread={frame.unread}
                sitesHref="/seller/my-sites"
                emptyText="No notifications yet. Orders, site reviews and announcements appear here."
              />
            )}
            <Support address={branding.supportEmail} templateHref="/seller/my-sites/template" />
            {actor.viewing ? null : (
              <AccountMenu
                user={user}
                securityPath="/seller/security"
                links={[
                  { href: '/seller/webhooks', label: 'Webhooks', icon: 'webhook' },
                  { href: '/developers', label: 'API guide', icon: 'book-open' },
                ]}
                logoutEndpoint="/api/seller/auth/logout"
                loginPath="/seller/login"
              />
            )}
          </div>
        </>
      }
    >
      <TwoStepNotice portal="seller" actor={actor} />
      {actor.viewing ? null : (
        <>
          <SignInAgain portal="seller" email={actor.email} />
          <meta name={pageAccountMeta} content={actor.userId} />
        </>
      )}
      {children}
    </ShellFrame>
  );
}
