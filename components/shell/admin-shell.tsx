import Link from 'next/link';
import type { ReactNode } from 'react';
import { AccountMenu } from './account-menu';
import { visibleGroups } from './admin-nav';
import { AdminSidebar } from './admin-sidebar';
import { AdminTrail } from './admin-trail';
import { Brand, type BrandLook } from './brand';
import { ShellFrame } from './shell-frame';
import { ThemeToggle } from './theme-toggle';
import type { ShellUser } from './types';

type AdminShellProps = {
  brand: BrandLook;
  user: ShellUser;
  bell: ReactNode;
  demoBanner?: ReactNode;
  children: ReactNode;
};

/** The admin console's frame. Whoever may see nothing of the menu gets none. */
export function AdminShell({ brand, user, bell, demoBanner, children }: AdminShellProps) {
  return (
    <ShellFrame
      menuLabel="Admin"
      brand={
        <Link href="/dashboard" prefetch={false} className="flex min-w-0 rounded-md">
          <Brand brand={brand} />
        </Link>
      }
      menu={visibleGroups(user).length > 0 ? <AdminSidebar user={user} /> : null}
      menuWidth="w-[260px]"
      banner={demoBanner}
      topBar={
        <>
          <AdminTrail user={user} />
          <div className="ml-auto flex items-center gap-2">
            {bell}
            <ThemeToggle />
            <AccountMenu
              user={user}
              securityPath="/dashboard/security"
              logoutEndpoint="/api/admin/auth/logout"
              loginPath="/admin/login"
            />
          </div>
        </>
      }
    >
      {children}
    </ShellFrame>
  );
}
