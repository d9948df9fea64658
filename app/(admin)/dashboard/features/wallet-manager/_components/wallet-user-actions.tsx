'use client';

import { RefreshCw } from 'lucide-react';
import { RowMenu } from '@/components/table/record-actions';
import { ButtonLink } from '@/components/ui/button';
import { MenuItem } from '@/components/ui/menu';
import { ApiError, apiFetch } from '@/lib/browser/api-client';
import { formatMoney, walletCurrency } from '@/lib/money';
import type { RecalculationView } from '@/lib/wallet/admin-views';
import { useToastOperation } from './use-toast-operation';

const money = (cents: number) => formatMoney(cents, walletCurrency);

type WalletUserActionsProps = {
  user: { id: string; name: string; email: string };
  /** The URL of the user's Manual Top-Up dialog. */
  topUpHref: string;
};

/** Opens the top-up of a wallet, or recalculates its balance and displays the result. */
export function WalletUserActions({ user, topUpHref }: WalletUserActionsProps) {
  const name = user.name || user.email;
  const { pending, run } = useToastOperation(() => recalculateBalance(user.id, name));
  return (
    <span className="flex items-center justify-end gap-1">
      <ButtonLink href={topUpHref} scroll={false} variant="secondary" size="sm" aria-label={`Top-Up ${name}`}>
        Top-Up
      </ButtonLink>
      <RowMenu name={name} pending={pending}>
        <MenuItem icon={<RefreshCw className="size-4" />} onSelect={() => void run()}>
          Recalculate balance
        </MenuItem>
      </RowMenu>
    </span>
  );
}

/**
 * Recalculates a wallet's balance from its transactions (POST /api/admin/wallet/recalc/{userId}).
 * @param who the user's name for the message
 * @returns whether the stored balance was correct, and the message to display
 * @throws Error with the message to display
 */
async function recalculateBalance(userId: string, who: string): Promise<{ isGood: boolean; text: string }> {
  try {
    const response = await apiFetch<RecalculationView>(`/api/admin/wallet/recalc/${userId}`, { method: 'POST' });
    const { balance_cents: balance, stored_cents: stored, difference_cents: difference } = response;
    const isGood = difference === 0;
    const text = isGood
      ? `The balance of ${who} is correct: ${money(balance)}.`
      : `The stored balance of ${who} was ${money(stored)}. It’s now ${money(balance)}, the sum of the transactions. Check the books to see if anything else is wrong.`;
    return { isGood, text };
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause;
    throw new Error(cause.message || 'Recalculation failed. Please try again.');
  }
}
