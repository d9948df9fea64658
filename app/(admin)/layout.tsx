import type { ReactNode } from 'react';
import { AdminShell } from '@/components/shell/admin-shell';
import { Bell } from '@/components/shell/bell';
import { SandboxBanner } from '@/components/shell/sandbox-banner';
import { requirePage } from '@/lib/auth/page-guard';
import { shellUser } from '@/lib/auth/shell-user';
import { countUnread } from '@/lib/bell/queries';
import { env } from '@/lib/env';
import { getBranding } from '@/lib/settings/get-branding';
import { findAvatarHash } from '@/lib/users/avatar-queries';

export default async function AdminLayout({ children }: { children: ReactNode }) {
  const actor = await requirePage('admin', 'AdminDashboard');
  const [branding, unread, picture] = await Promise.all([
    getBranding(),
    countUnread(actor),
    findAvatarHash(actor.userId),
  ]);
  return (
    <AdminShell
      brand={branding}
      bell={<Bell unread={unread} emptyText="Nothing yet. Here you learn what is announced to staff." />}
      user={{ ...shellUser(actor), picture }}
      demoBanner={env().STRIPE_BASE_URL ? <SandboxBanner /> : null}
    >
      {children}
    </AdminShell>
  );
}
