'use client';

import { Plus, RefreshCw } from 'lucide-react';
import { RowMenu } from '@/components/table/row-actions';
import { MenuItem, MenuLink } from '@/components/ui/menu';
import { recalculateBalance } from './recalculate-balance';
import { useToldWork } from './use-told-work';

type WalletUserMenuProps = {
  user: { id: string; name: string; email: string };
  /** The address of the user's Manual Top-Up dialog. */
  topUpHref: string;
};

/** Tops up a user's wallet, or compares its stored balance with its transactions and shows the result. */
export function WalletUserMenu({ user, topUpHref }: WalletUserMenuProps) {
  const name = user.name || user.email;
  const { pending, run } = useToldWork(() => recalculateBalance(user.id, name));
  return (
    <RowMenu name={name} pending={pending}>
      <MenuLink href={topUpHref} scroll={false} icon={<Plus className="size-4" />}>
        Top-Up
      </MenuLink>
      <MenuItem icon={<RefreshCw className="size-4" />} onSelect={() => void run()}>
        Recalculate balance
      </MenuItem>
    </RowMenu>
  );
}
