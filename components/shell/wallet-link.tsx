'use client';

import { Wallet } from 'lucide-react';
import Link from 'next/link';
import { buttonClass } from '../ui/button-class';
import { Money } from '../ui/money';

/** The balance, and the way to the wallet. A client component: its one figure is less to send than what is made of it. */
export function WalletLink({ balanceCents }: { balanceCents: number | null }) {
  return (
    <Link
      prefetch={false}
      href="/user/wallet"
      className={buttonClass({ size: 'sm', className: 'rounded-full max-sm:px-2.5' })}
    >
      <Wallet className="size-4 text-subtle max-sm:hidden" />
      <span className="sr-only">Wallet balance</span>
      {balanceCents === null ? '–' : <Money amountMinor={balanceCents} />}
    </Link>
  );
}
