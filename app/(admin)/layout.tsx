import { headers } from 'next/headers';
import type { ReactNode } from 'react';
import { AdminShell } from '@/components/shell/admin-shell';
import { TwoStepNotice } from '@/components/shell/notices';
import { SandboxBanner } from '@/components/shell/sandbox-banner';
import { requirePage, shellUser } from '@/lib/auth/page-guard';
import { isTwoStepOverdue } from '@/lib/auth/two-step';
import { getAdminFrame } from '@/lib/dashboard/admin';
import { env } from '@/lib/env';
import { getBranding } from '@/lib/settings/branding/get-branding';

const noFrame = { unread: 0, picture: null };

/** Renders the layout of the admin console. */
export default async function AdminLayout({ children }: { children: ReactNode }) {
  const actor = await requirePage('admin', 'AdminDashboard', { beforeTwoStep: true });
  const isOverdue = isTwoStepOverdue(actor);
  const [{ siteName, logo }, { unread, picture }] = await Promise.all([
    getBranding(),
    isOverdue ? noFrame : getAdminFrame(actor),
  ]);
  return (
    <AdminShell
      brand={{ siteName, logo }}
      user={{ ...shellUser(actor), picture }}
      userId={actor.userId}
      nonce={(await headers()).get('x-nonce') ?? undefined}
      unread={isOverdue ? null : unread}
      banner={env().STRIPE_BASE_URL ? <SandboxBanner /> : null}
      notice={<TwoStepNotice portal="admin" actor={actor} />}
    >
      {children}
    </AdminShell>
  );
}
