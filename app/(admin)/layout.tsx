import type { ReactNode } from 'react';
import { AdminShell } from '@/components/shell/admin-shell';
import { Bell } from '@/components/shell/bell';
import { SandboxBanner } from '@/components/shell/sandbox-banner';
import { TwoStepNotice } from '@/components/shell/two-step-notice';
import { requirePage } from '@/lib/auth/page-guard';
import { shellUser } from '@/lib/auth/shell-user';
import { isTwoStepOverdue } from '@/lib/auth/two-step-rule';
import { countUnread } from '@/lib/bell/queries';
import { env } from '@/lib/env';
import { getBranding } from '@/lib/settings/get-branding';
import { findAvatarHash } from '@/lib/users/avatar-queries';

export default async function AdminLayout({ children }: { children: ReactNode }) {
  const actor = await requirePage('admin', 'AdminDashboard', { beforeTwoStep: true });
  const isOverdue = isTwoStepOverdue(actor);
  const [branding, unread, picture] = await Promise.all([
    getBranding(),
    isOverdue ? 0 : countUnread(actor),
    isOverdue ? null : findAvatarHash(actor.userId),
  ]);
  return (
    <AdminShell
      brand={branding}
      bell={
        isOverdue ? null : <Bell unread={unread} emptyText="Nothing yet. Here you learn what is announced to staff." />
      }
      user={{ ...shellUser(actor), picture }}
      demoBanner={env().STRIPE_BASE_URL ? <SandboxBanner /> : null}
    >
      <TwoStepNotice portal="admin" actor={actor} />
      {children}
    </AdminShell>
  );
}
