'use client';

import { toast } from 'sonner';
import { Icon } from '@/components/ui/icon';
import { MenuItem, MenuLabel, MenuRadioGroup, MenuRadioItem, MenuSeparator } from '@/components/ui/menu';
import { ApiError } from '@/lib/browser/api-client';

/** The accounts that the user can switch between; without any, the menu offers a first team. */
export type Switcher = {
  userId: string;
  activeId: string;
  /** The name of the active account, if it is not the personal account of the user. */
  team: string | undefined;
  /** @property role what the user may do there, as a word */
  accounts: readonly { id: string; name: string; role: string }[];
};

type AccountSwitcherProps = { switcher: Switcher; onOpen: (dialog: 'new' | 'leave') => void };

/** Renders the items of the account menu that switch between accounts, create a team and leave one. */
export function AccountSwitcher({ switcher, onOpen }: AccountSwitcherProps) {
  return (
    <>
      {switcher.accounts.length > 1 ? (
        <>
          <MenuLabel>Accounts</MenuLabel>
          <MenuRadioGroup value={switcher.activeId} onChange={(id) => void switchTo(id)}>
            {switcher.accounts.map((account) => (
              <MenuRadioItem key={account.id} value={account.id}>
                <span className="min-w-0 flex-1 truncate">{account.name}</span>
                <span className="text-subtle text-xs">{account.role}</span>
              </MenuRadioItem>
            ))}
          </MenuRadioGroup>
        </>
      ) : null}
      <MenuItem icon={<Icon name="plus" />} onSelect={() => onOpen('new')}>
        New team…
      </MenuItem>
      {switcher.team === undefined ? null : (
        <MenuItem icon={<Icon name="door-open" />} onSelect={() => onOpen('leave')}>
          <span className="truncate">{`Leave ${switcher.team}…`}</span>
        </MenuItem>
      )}
      <MenuSeparator />
    </>
  );
}

/** Opens the customer area under another account, in a new document with its menus and figures. */
async function switchTo(accountId: string): Promise<void> {
  try {
    const { chooseAccount } = await import('./account-dialogs');
    await chooseAccount(accountId);
    window.location.assign('/user');
  } catch (cause) {
    toast.error((cause instanceof ApiError && cause.message) || 'The account could not be opened. Try again.');
  }
}
