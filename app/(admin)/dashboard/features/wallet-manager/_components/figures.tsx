import { tileGrid } from '@/components/dashboard/tile-grid';
import { StatTile } from '@/components/ui/stat-tile';
import { formatMoney, walletCurrency } from '@/lib/money';

type FiguresProps = { users: number; transactions: number; walletsCents: number; waiting: number };

export function Figures({ users, transactions, walletsCents, waiting }: FiguresProps) {
  return (
    <div className={tileGrid}>
      <StatTile label="Users" value={users.toLocaleString('en-US')} icon="icon-users" />
      <StatTile label="Transactions" value={transactions.toLocaleString('en-US')} icon="icon-arrow-left-right" />
      <StatTile label="In all wallets" value={formatMoney(walletsCents, walletCurrency)} icon="icon-wallet-cards" />
      <StatTile label="To decide" value={waiting.toLocaleString('en-US')} icon="icon-scale" />
    </div>
  );
}
