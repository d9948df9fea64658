import { CircleUserRound, Layers, UsersRound } from 'lucide-react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { AccountMenu, type AccountMenuLink } from './account-menu';
import { visibleGroups } from './admin-nav';
import { AdminSidebar } from './admin-sidebar';
import { AdminTrail } from './admin-trail';
import { Brand, type BrandLook } from './brand';
import { PaletteButton } from './palette-button';
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
        <Link prefetch={false} href="/dashboard" className="flex min-w-0 rounded-md">
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
            {visibleGroups(user).length > 0 ? <PaletteButton user={user} /> : null}
            {bell}
            <ThemeToggle />
            <AccountMenu
              user={user}
              securityPath="/dashboard/security"
              links={menuLinks(user)}
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

/** Profile settings, and of users and features what the person may open (spec 000, section 2). */
function menuLinks({ permissions }: ShellUser): AccountMenuLink[] {
  return [
    {
      href: '/dashboard/profile',
      label: 'Profile settings',
      icon: <CircleUserRound className="size-4" />,
    },
    ...(permissions.includes('ManageUsers')
      ? [
          {
            href: '/dashboard/features/users',
            label: 'Users',
            icon: <UsersRound className="size-4" />,
          },
        ]
      : []),
    ...(permissions.includes('ManageSettings')
      ? [
          {
            href: '/dashboard/features',
            label: 'Features',
            icon: <Layers className="size-4" />,
          },
        ]
      : []),
  ];
}
