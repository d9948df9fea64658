import { Wallet } from 'lucide-react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { buttonClass } from '../ui/button-class';
import { Money } from '../ui/money';
import { AccountMenu } from './account-menu';
import { Brand } from './brand';
import { MarketplaceLinks } from './marketplace-links';
import { NavList } from './nav-list';
import { ShellFrame } from './shell-frame';
import { ThemeToggle } from './theme-toggle';
import type { ShellUser } from './types';
import { userMenuHiddenOn } from './user-nav';

type UserShellProps = {
  user: ShellUser;
  /** USD cents. */
  balanceCents: number;
  demoBanner?: ReactNode;
  children: ReactNode;
};

/** The customer area's frame. */
export function UserShell({ user, balanceCents, demoBanner, children }: UserShellProps) {
  return (
    <ShellFrame
      menuLabel="Customer area"
      brand={
        <Link href="/user" prefetch={false} className="rounded-md">
          <Brand />
        </Link>
      }
      menu={<NavList menu="user" />}
      menuWidth="w-[250px]"
      menuHiddenOn={userMenuHiddenOn}
      banner={demoBanner}
      secondBar={<MarketplaceLinks place="second-bar" />}
      topBar={
        <>
          <h2 className="truncate text-ink text-sm">Welcome Back</h2>
          <MarketplaceLinks place="top-bar" />
          <div className="ml-auto flex items-center gap-2">
            <Link
              href="/user/wallet"
              prefetch={false}
              className={buttonClass({ size: 'sm', className: 'rounded-full max-sm:px-2.5' })}
            >
              <Wallet aria-hidden="true" className="size-4 text-subtle max-sm:hidden" />
              <span className="sr-only">Wallet balance</span>
              <Money amountMinor={balanceCents} />
            </Link>
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
