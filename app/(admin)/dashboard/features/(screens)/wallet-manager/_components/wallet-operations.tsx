'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { ActionMenu } from '@/components/form/action-menu';
import { BackgroundProgress } from '@/components/form/background-progress';
import { Button, ButtonLink } from '@/components/ui/button';
import { ConfirmAction } from '@/components/ui/confirm-action';
import { Icon } from '@/components/ui/icon';
import { ApiError, apiFetch, unwrapAction } from '@/lib/browser/api-client';
import type { Receivable } from '@/lib/ledger/receivables';
import { formatMoney, formatUsd } from '@/lib/money';
import { providerNames } from '@/lib/payments/providers/names';
import type { Withheld } from '@/lib/payments/reversals/return-disputed';
import type { SuspendedPayment } from '@/lib/payments/top-ups/suspended-payments';
import {
  acceptPaymentAction,
  collectReceivableAction,
  confirmReturnAction,
  getProofProgressAction,
  proveBooksAction,
  proveEverythingAction,
} from '@/lib/wallet/actions';
import type { RecalculationView } from '@/lib/wallet/contract';

/** Error messages contain amounts and the next step, which take longer to read than the default three seconds allow. */
const errorDurationMs = 12_000;

/**
 * Runs an operation, displays its result in a toast and refreshes the page.
 * @param work returns whether the result is good, and the message; throws Error with the message to display
 */
export function useToastOperation(operation: () => Promise<{ isGood: boolean; text: string }>) {
  const router = useRouter();
  const [pending, setPending] = useState(false);
  const run = async () => {
    setPending(true);
    try {
      const { isGood, text } = await operation();
      if (isGood) toast.success(text);
      else toast.error(text, { duration: errorDurationMs });
      router.refresh();
    } catch (cause) {
      toast.error(cause instanceof Error ? cause.message : 'The server didn’t respond. Please try again.');
    } finally {
      setPending(false);
    }
  };
  return { pending, run };
}

const requested = { isGood: true, text: 'Everything is being checked in the background.' };

type ProveBooksProps = {
  /** Whether a check of everything can be started as well. */
  isRepeatable?: boolean;
  /** The progress of the running check of everything in percent; null without one. */
  progress: number | null;
};

/** Runs a verification of the ledger: of what is new, or of everything in the background. */
export function ProveBooks({ isRepeatable = false, progress }: ProveBooksProps) {
  const checkNew = useToastOperation(async () => {
    const { isSound } = await unwrapAction(() => proveBooksAction({}));
    if (isSound === null) return requested;
    return {
      isGood: isSound,
      text: isSound ? 'The books balance.' : 'The books don’t balance. Review the failed checks.',
    };
  });
  const checkAll = useToastOperation(async () => {
    await unwrapAction(() => proveEverythingAction({}));
    return requested;
  });
  if (progress !== null) {
    return (
      <BackgroundProgress
        first={progress}
        getProgress={getProofProgressAction}
        label="Progress of the check"
        text="Everything is being checked."
      />
    );
  }
  return (
    <div className="flex flex-wrap justify-end gap-2">
      {isRepeatable ? (
        <Button size="sm" pending={checkAll.pending} onClick={checkAll.run}>
          Check everything
        </Button>
      ) : null}
      <Button
        variant="primary"
        size="sm"
        pending={checkNew.pending}
        icon={<Icon name="book-check" />}
        onClick={checkNew.run}
      >
        Check the books
      </Button>
    </div>
  );
}

/** Credits a suspended payment. Renders nothing if only the provider can reverse the payment. */
export function AcceptPayment({ one }: { one: SuspendedPayment }) {
  if (one.refusal !== null) return null;
  const money = formatUsd(one.creditCents);
  const user = one.user.name || one.user.email;
  return (
    <ConfirmAction
      trigger={
        <Button size="sm" aria-label={`Credit ${money} to ${user}`}>
          Credit
        </Button>
      }
      title={`Credit ${money} to ${user}?`}
      description={`${formatMoney(one.requestedMinor, one.requestedCurrency)} was requested. ${providerNames[one.provider]} holds the amount paid, which becomes the amount of this top-up.`}
      tone="primary"
      confirmLabel={`Credit ${money}`}
      action={() => unwrapAction(() => acceptPaymentAction({ topupId: one.topupId }))}
      done={`${money} credited to ${user}.`}
    />
  );
}

/** Confirms that the provider returned the money of a won dispute, and credits it to the buyer. */
export function ConfirmReturn({ one }: { one: Withheld }) {
  const money = formatMoney(one.amountMinor, one.currency);
  const user = one.user.name || one.user.email;
  return (
    <ConfirmAction
      trigger={
        <Button size="sm" aria-label={`Confirm that ${money} of ${user} was returned`}>
          Confirm return
        </Button>
      }
      title={`Was ${money} returned?`}
      description={`Check your account at ${providerNames[one.provider]} first (${one.reference}). The money is credited to ${user} again, and what they owe is paid from it.`}
      tone="primary"
      confirmLabel={`Confirm return of ${money}`}
      action={() => unwrapAction(() => confirmReturnAction({ reversalId: one.reversalId }))}
      done={`${money} returned to ${user}.`}
    />
  );
}

/** Collects a user's debt from the wallet. Disabled while the wallet is empty. */
export function CollectReceivable({ one }: { one: Receivable }) {
  const cents = Math.min(one.owedCents, one.balanceCents);
  const user = one.name || one.email;
  if (cents <= 0) return null;
  return (
    <ConfirmAction
      trigger={
        <Button size="sm" aria-label={`Collect ${formatUsd(cents)} from ${user}`}>
          Collect
        </Button>
      }
      title={`Take ${formatUsd(cents)} from the wallet of ${user}?`}
      description={`${formatUsd(one.owedCents)} is owed, and the wallet holds ${formatUsd(one.balanceCents)}.`}
      tone="primary"
      confirmLabel={`Take ${formatUsd(cents)}`}
      action={() => unwrapAction(() => collectReceivableAction({ userId: one.userId }))}
      done={({ paidCents }) => `${formatUsd(paidCents)} collected from ${user}.`}
    />
  );
}

type WalletUserActionsProps = {
  user: { id: string; name: string; email: string };
  /** The URL of the account's Manual Top-Up dialog. */
  topUpHref: string;
  /** The URL of the list of its transactions. */
  transactionsHref: string;
};

/** Opens the top-up of a wallet, or recalculates its balance and displays the result. */
export function WalletUserActions({ user, topUpHref, transactionsHref }: WalletUserActionsProps) {
  const name = user.name || user.email;
  const { pending, run } = useToastOperation(() => recalculateBalance(user.id, name));
  return (
    <span className="flex items-center justify-end gap-1">
      <ButtonLink href={topUpHref} scroll={false} variant="secondary" size="sm" aria-label={`Top-Up ${name}`}>
        Top-Up
      </ButtonLink>
      <ActionMenu
        name={name}
        pending={pending}
        actions={[
          {
            label: 'Members and wallet',
            icon: <Icon name="users-round" />,
            href: `/dashboard/features/wallet-manager/${user.id}`,
          },
          { label: 'Transactions', icon: <Icon name="arrow-left-right" />, href: transactionsHref },
          { label: 'Recalculate balance', icon: <Icon name="refresh-cw" />, onSelect: () => void run() },
        ]}
      />
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
      ? `The balance of ${who} is correct: ${formatUsd(balance)}.`
      : `The stored balance of ${who} was ${formatUsd(stored)}. It’s now ${formatUsd(balance)}, the sum of the transactions. Check the books to see if anything else is wrong.`;
    return { isGood, text };
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause;
    throw new Error(cause.message || 'Recalculation failed. Please try again.');
  }
}
