'use client';

import { IconButton } from '@/components/ui/icon-button';
import { recalculateBalance } from './recalculate-balance';
import { useToldWork } from './use-told-work';

/** Compares somebody's stored balance with their transactions, and tells what came of it. */
export function RecalculateButton({ user }: { user: { id: string; name: string; email: string } }) {
  const who = user.name || user.email;
  const { pending, run } = useToldWork(() => recalculateBalance(user.id, who));
  return (
    <IconButton label={`Recalculate the balance of ${who}`} pending={pending} onClick={run}>
      <span aria-hidden="true" className="icon-refresh size-4" />
    </IconButton>
  );
}
