import type { ReactNode } from 'react';
import { AdminShell } from '@/components/shell/admin-shell';
import { SandboxBanner } from '@/components/shell/sandbox-banner';
import { requirePage } from '@/lib/auth/page-guard';
import { shellUser } from '@/lib/auth/shell-user';
import { env } from '@/lib/env';
import { getBranding } from '@/lib/settings/get-branding';

export default async function AdminLayout({ children }: { children: ReactNode }) {
  const actor = await requirePage('admin', 'AdminDashboard');
  return (
    <AdminShell
      brand={await getBranding()}
      user={shellUser(actor)}
      demoBanner={env().STRIPE_BASE_URL ? <SandboxBanner /> : null}
    >
      {children}
    </AdminShell>
  );
}
