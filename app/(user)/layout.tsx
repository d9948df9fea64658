import type { ReactNode } from 'react';
import { SandboxBanner } from '@/components/shell/sandbox-banner';
import { UserShell } from '@/components/shell/user-shell';
import { requirePage } from '@/lib/auth/page-guard';
import { shellUser } from '@/lib/auth/shell-user';
import { env } from '@/lib/env';
import { getBranding } from '@/lib/settings/get-branding';
import { getWalletBalance } from '@/lib/wallet/balance';

export default async function UserLayout({ children }: { children: ReactNode }) {
  const actor = await requirePage('user', 'session');
  const [branding, balanceCents] = await Promise.all([getBranding(), getWalletBalance(actor.userId)]);
  return (
    <UserShell
      brand={branding}
      user={shellUser(actor)}
      balanceCents={balanceCents}
      demoBanner={env().STRIPE_BASE_URL ? <SandboxBanner /> : null}
    >
      {children}
    </UserShell>
  );
}
