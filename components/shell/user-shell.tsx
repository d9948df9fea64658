import Link from 'next/link';
import type { ReactNode } from 'react';
import { AccountMenu } from './account-menu';
import { Brand, type BrandLook } from './brand';
import { MarketplaceLinks } from './marketplace-links';
import { NavList } from './nav-list';
import { ShellFrame } from './shell-frame';
import { ThemeToggle } from './theme-toggle';
import type { ShellUser } from './types';
import { userMenuHiddenOn } from './user-nav';
import { WalletLink } from './wallet-link';

type UserShellProps = {
  brand: BrandLook;
  user: ShellUser;
  /** USD cents; null: could not be loaded. */
  balanceCents: number | null;
  bell: ReactNode;
  /** Links to what an admin has turned off. */
  closed: readonly string[];
  demoBanner?: ReactNode;
  children: ReactNode;
};

/** The customer area's frame. */
export function UserShell({ brand, user, balanceCents, bell, closed, demoBanner, children }: UserShellProps) {
  return (
    <ShellFrame
      menuLabel="Customer area"
      brand={
        <Link prefetch={false} href="/user" className="flex min-w-0 rounded-md">
          <Brand brand={brand} />
        </Link>
      }
      menu={<NavList menu="user" closed={closed} />}
      menuWidth="w-[250px]"
      menuHiddenOn={userMenuHiddenOn}
      banner={demoBanner}
      secondBar={<MarketplaceLinks place="second-bar" />}
      topBar={
        <>
          <h2 className="truncate text-ink text-sm">Welcome Back</h2>
          <MarketplaceLinks place="top-bar" />
          <div className="ml-auto flex items-center gap-2">
            <WalletLink balanceCents={balanceCents} />
            {bell}
            <ThemeToggle />
            <AccountMenu
              user={user}
              label="My Account"
              securityPath="/user/security"
              logoutEndpoint="/api/user/auth/logout"
              loginPath="/user/login"
            />
          </div>
        </>
      }
    >
      {children}
    </ShellFrame>
  );
}
