'use client';

import Link from 'next/link';
import type { ReactNode } from 'react';
import { SignInAgain } from '@/components/security/sign-in-again';
import type { Permission } from '@/lib/access/permissions';
import { pageAccountMeta } from '@/lib/browser/page-account';
import { AccountMenu, type AccountMenuLink } from './account-menu';
import { foldScript } from './admin-folds';
import { visibleGroups } from './admin-nav';
import { AdminSidebar, AdminTrail } from './admin-sidebar';
import { Bell } from './bell';
import { Brand, type BrandIdentity } from './brand';
import type { ShellUser } from './nav';
import { PaletteButton } from './palette-button';
import { ShellFrame } from './shell-frame';
import { ThemeToggle } from './theme-toggle';

const accountLinks: readonly (AccountMenuLink & { needs?: Permission })[] = [
  { href: '/dashboard/profile', label: 'Profile settings', icon: 'circle-user-round' },
  { href: '/dashboard/features/users', label: 'Users', icon: 'users-round', needs: 'ManageUsers' },
  { href: '/dashboard/features', label: 'Features', icon: 'layers', needs: 'ManageSettings' },
];

type AdminShellProps = {
  brand: BrandIdentity;
  user: ShellUser;
  userId: string;
  nonce: string | undefined;
  /** Null where the top bar has no bell. */
  unread: number | null;
  banner: ReactNode;
  /** Above the page. */
  notice: ReactNode;
  children: ReactNode;
};

/**
 * Renders the frame of the admin console, without the menu if the user has access to no screen. One client component
 * with the data of its parts, because the server would describe their elements in every page.
 */
export function AdminShell(props: AdminShellProps) {
  const { user, unread } = props;
  const hasScreens = visibleGroups(user).length > 0;
  return (
    <>
      {/* Browsers hide the nonce attribute from scripts, so hydration always finds a difference. */}
      <script nonce={props.nonce} suppressHydrationWarning>
        {foldScript}
      </script>
      <ShellFrame
        menuLabel="Admin"
        brand={
          <Link prefetch={false} href="/dashboard" className="flex min-w-0 rounded-md">
            <Brand brand={props.brand} />
          </Link>
        }
        menu={hasScreens ? <AdminSidebar user={user} /> : null}
        menuWidth="w-[260px]"
        banner={props.banner}
        topBar={
          <>
            <AdminTrail user={user} />
            <div className="ml-auto flex items-center gap-2">
              {hasScreens ? <PaletteButton portal="admin" user={user} /> : null}
              {unread === null ? null : <Bell unread={unread} emptyText="No notifications yet." />}
              <ThemeToggle />
              <AccountMenu
                user={user}
                securityPath="/dashboard/security"
                links={accountLinks.filter(({ needs }) => !needs || user.permissions.includes(needs))}
                logoutEndpoint="/api/admin/auth/logout"
                loginPath="/admin/login"
              />
            </div>
          </>
        }
      >
        {props.notice}
        <SignInAgain portal="admin" email={user.email} />
        <meta name={pageAccountMeta} content={props.userId} />
        {props.children}
      </ShellFrame>
    </>
  );
}
