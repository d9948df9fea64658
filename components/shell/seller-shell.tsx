import Link from 'next/link';
import type { ReactNode } from 'react';
import { AccountMenu } from './account-menu';
import { Brand, type BrandLook } from './brand';
import { LogoutButton } from './logout-button';
import { NavList } from './nav-list';
import { ShellFrame } from './shell-frame';
import { SiteSearch } from './site-search';
import { ThemeToggle } from './theme-toggle';
import type { ShellUser } from './types';

type SellerShellProps = {
  brand: BrandLook;
  user: ShellUser;
  /** The top bar's bell and its help. */
  bell: ReactNode;
  support: ReactNode;
  demoBanner?: ReactNode;
  children: ReactNode;
};

/** The seller portal's frame. */
export function SellerShell({ brand, user, bell, support, demoBanner, children }: SellerShellProps) {
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
