import type { ReactNode } from 'react';
import { SandboxBanner } from '@/components/shell/sandbox-banner';
import { UserShell } from '@/components/shell/user-shell';
import { requirePage } from '@/lib/auth/page-guard';
import { shellUser } from '@/lib/auth/shell-user';
import { partOrEmpty } from '@/lib/dashboard/part-or-empty';
import { env } from '@/lib/env';
import { getBranding } from '@/lib/settings/get-branding';
import { getWalletBalance } from '@/lib/wallet/balance';

export default async function UserLayout({ children }: { children: ReactNode }) {
  const actor = await requirePage('user', 'session');
  const [branding, balanceCents] = await Promise.all([
    getBranding(),
    partOrEmpty('wallet balance', getWalletBalance(actor.userId), null),
  ]);
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
