import { headers } from 'next/headers';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { SignInAgain } from '@/components/security/sign-in-again';
import { AccountMenu, type AccountMenuLink } from '@/components/shell/account-menu';
import { foldScript } from '@/components/shell/admin-folds';
import { visibleGroups } from '@/components/shell/admin-nav';
import { AdminSidebar, AdminTrail } from '@/components/shell/admin-sidebar';
import { Bell } from '@/components/shell/bell';
import { Brand, type BrandIdentity } from '@/components/shell/brand';
import type { ShellUser } from '@/components/shell/nav';
import { SandboxBanner, TwoStepNotice } from '@/components/shell/notices';
import { PaletteButton } from '@/components/shell/palette-button';
import { ShellFrame } from '@/components/shell/shell-frame';
import { ThemeToggle } from '@/components/shell/theme-toggle';
import type { Permission } from '@/lib/access/permissions';
import { requirePage, shellUser } from '@/lib/auth/page-guard';
import { isTwoStepOverdue } from '@/lib/auth/two-step';
import { pageAccountMeta } from '@/lib/browser/page-account';
import { getAdminFrame } from '@/lib/dashboard/admin';
import { env } from '@/lib/env';
import { getBranding } from '@/lib/settings/branding/get-branding';

const noFrame = { unread: 0, picture: null };

export default async function AdminLayout({ children }: { children: ReactNode }) {
  const actor = await requirePage('admin', 'AdminDashboard', { beforeTwoStep: true });
  const isOverdue = isTwoStepOverdue(actor);
  const [branding, { unread, picture }] = await Promise.all([
    getBranding(),
    isOverdue ? noFrame : getAdminFrame(actor),
  ]);
  return (
    <>
      {/* Browsers hide the nonce attribute from scripts, so hydration always finds a difference. */}
      <script nonce={(await headers()).get('x-nonce') ?? undefined} suppressHydrationWarning>
        {foldScript}
      </script>
      <AdminShell
        brand={branding}
        bell={isOverdue ? null : <Bell unread={unread} emptyText="No notifications yet." />}
        user={{ ...shellUser(actor), picture }}
        demoBanner={env().STRIPE_BASE_URL ? <SandboxBanner /> : null}
      >
        <TwoStepNotice portal="admin" actor={actor} />
        <SignInAgain portal="admin" email={actor.email} />
        <meta name={pageAccountMeta} content={actor.userId} />
        {children}
      </AdminShell>
    </>
  );
}

type AdminShellProps = {
  brand: BrandIdentity;
  user: ShellUser;
  bell: ReactNode;
  demoBanner?: ReactNode;
  children: ReactNode;
};

/** Renders the layout of the admin console. Omits the menu if the user has access to no screen. */
function AdminShell({ brand, user, bell, demoBanner, children }: AdminShellProps) {
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
            {visibleGroups(user).length > 0 ? <PaletteButton portal="admin" user={user} /> : null}
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

/** Returns the links of the account menu that the user's permissions allow. */
function menuLinks({ permissions }: ShellUser): AccountMenuLink[] {
  const links: (AccountMenuLink & { needs?: Permission })[] = [
    { href: '/dashboard/profile', label: 'Profile settings', icon: 'circle-user-round' },
    { href: '/dashboard/features/users', label: 'Users', icon: 'users-round', needs: 'ManageUsers' },
    { href: '/dashboard/features', label: 'Features', icon: 'layers', needs: 'ManageSettings' },
  ];
  return links
    .filter(({ needs }) => !needs || permissions.includes(needs))
    .map(({ href, label, icon }) => ({ href, label, icon }));
}
