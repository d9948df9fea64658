import Link from 'next/link';
import type { ReactNode } from 'react';
import { AccountMenu, LogoutButton } from '@/components/shell/account-menu';
import { Bell } from '@/components/shell/bell';
import { Brand, type BrandIdentity } from '@/components/shell/brand';
import { NavList } from '@/components/shell/nav-list';
import { SandboxBanner } from '@/components/shell/sandbox-banner';
import { ShellFrame } from '@/components/shell/shell-frame';
import { SiteSearch } from '@/components/shell/site-search';
import { Support } from '@/components/shell/support';
import { ThemeToggle } from '@/components/shell/theme-toggle';
import { TwoStepNotice } from '@/components/shell/two-step-notice';
import type { ShellUser } from '@/components/shell/types';
import { requirePage, shellUser } from '@/lib/auth/page-guard';
import { isTwoStepOverdue } from '@/lib/auth/two-step-rule';
import { env } from '@/lib/env';
import { countUnread } from '@/lib/notifications/queries';
import { getBranding } from '@/lib/settings/branding/get-branding';

export default async function SellerLayout({ children }: { children: ReactNode }) {
  const actor = await requirePage('seller', 'seller', { beforeTwoStep: true });
  const isOverdue = isTwoStepOverdue(actor);
  const [branding, unread] = await Promise.all([getBranding(), isOverdue ? 0 : countUnread(actor)]);
  return (
    <SellerShell
      brand={branding}
      user={shellUser(actor)}
      demoBanner={env().STRIPE_BASE_URL ? <SandboxBanner /> : null}
      bell={
        isOverdue ? null : (
          <Bell
            unread={unread}
            sitesHref="/seller/my-sites"
            emptyText="No notifications yet. Site reviews and announcements appear here."
          />
        )
      }
      support={<Support address={branding.supportEmail} templateHref="/seller/my-sites/template" />}
    >
      <TwoStepNotice portal="seller" actor={actor} />
      {children}
    </SellerShell>
  );
}

type SellerShellProps = {
  brand: BrandIdentity;
  user: ShellUser;
  /** The notification bell and the support menu of the top bar. */
  bell: ReactNode;
  support: ReactNode;
  demoBanner?: ReactNode;
  children: ReactNode;
};

/** The layout of the seller portal. */
function SellerShell({ brand, user, bell, support, demoBanner, children }: SellerShellProps) {
  return (
    <ShellFrame
      menuLabel="Seller portal"
      brand={
        <Link prefetch={false} href="/seller" className="flex min-w-0 rounded-md">
          <Brand brand={brand} />
        </Link>
      }
      menu={<NavList menu="seller" />}
      menuWidth="w-[250px]"
      banner={demoBanner}
      menuFooter={
        <div className="flex flex-col gap-1">
          <ThemeToggle withLabel className="w-full justify-start px-2.5" />
          <NavList menu="seller-account" linkClassName="font-medium" />
          <LogoutButton endpoint="/api/seller/auth/logout" loginPath="/seller/login" />
          <p className="mt-2 px-2.5 text-xs">
            <span className="block text-subtle">Signed in as</span>
            <span className="block truncate text-ink" title={user.email}>
              {user.email}
            </span>
          </p>
        </div>
      }
      topBar={
        <>
          <SiteSearch action="/seller/my-sites" />
          <div className="ml-auto flex items-center gap-1">
            {bell}
            {support}
            <AccountMenu
              user={user}
              securityPath="/seller/security"
              logoutEndpoint="/api/seller/auth/logout"
              loginPath="/seller/login"
            />
          </div>
        </>
      }
    >
      {children}
    </ShellFrame>
  );
}
