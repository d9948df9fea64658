import { ArrowLeftRight, Scale, UsersRound, WalletCards } from 'lucide-react';
import { tileGrid } from '@/components/dashboard/tile-grid';
import { StatTile } from '@/components/ui/stat-tile';
import { formatMoney, walletCurrency } from '@/lib/money';

type FiguresProps = { users: number; transactions: number; walletsCents: number; waiting: number };

export function Figures({ users, transactions, walletsCents, waiting }: FiguresProps) {
  return (
    <div className={tileGrid}>
      <StatTile label="Users" value={users.toLocaleString('en-US')} icon={UsersRound} />
      <StatTile label="Transactions" value={transactions.toLocaleString('en-US')} icon={ArrowLeftRight} />
      <StatTile label="In all wallets" value={formatMoney(walletsCents, walletCurrency)} icon={WalletCards} />
      <StatTile label="To decide" value={waiting.toLocaleString('en-US')} icon={Scale} />
    </div>
  );
}
