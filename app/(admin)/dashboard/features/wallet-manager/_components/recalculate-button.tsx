'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { IconButton } from '@/components/ui/icon-button';
import { toast } from '@/components/ui/toast';
import { recalculateBalance } from './recalculate-balance';

/** Compares somebody's stored balance with their transactions, and tells what came of it. */
export function RecalculateButton({ user }: { user: { id: string; name: string; email: string } }) {
  const router = useRouter();
  const [pending, setPending] = useState(false);
  const who = user.name || user.email;
  const run = async () => {
    setPending(true);
    try {
      const { wasRight, text } = await recalculateBalance(user.id, who);
      if (wasRight) toast.success(text);
      else toast.error(text);
      router.refresh();
    } catch (cause) {
      toast.error(cause instanceof Error ? cause.message : 'No answer came. Please try again.');
    } finally {
      setPending(false);
    }
  };
  return (
    <IconButton label={`Recalculate the balance of ${who}`} pending={pending} onClick={run}>
      <span aria-hidden="true" className="icon-refresh size-4" />
    </IconButton>
  );
}
