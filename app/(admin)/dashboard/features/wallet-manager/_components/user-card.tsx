import { Money } from '@/components/ui/money';
import { UserStatusBadge } from '@/components/users/user-status-badge';
import type { WalletUserRow } from '@/lib/users/views';
import { UserName } from './user-name';
import { WalletUserMenu } from './wallet-user-menu';

/** One person on a phone. */
export function UserCard({ user, topUpHref }: { user: WalletUserRow; topUpHref: string }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <div className="flex items-start justify-between gap-3">
        <UserName {...user} />
        <Money amountMinor={user.balanceCents} className="shrink-0 font-medium text-ink" />
      </div>
      <div className="flex items-center justify-between gap-3">
        <span className="flex items-center gap-2 text-muted text-xs">
          <UserStatusBadge status={user.status} />
          {user.role}
        </span>
        <WalletUserMenu user={user} topUpHref={topUpHref} />
      </div>
    </div>
  );
}
