'use client';

import { ChevronDown, DoorOpen, LogOut, Plus, ShieldCheck } from 'lucide-react';
import dynamic from 'next/dynamic';
import { type ReactNode, useState } from 'react';
import { toast } from 'sonner';
import { Button, buttonClass } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
import {
  Menu,
  MenuItem,
  MenuLabel,
  MenuLink,
  MenuRadioGroup,
  MenuRadioItem,
  MenuSeparator,
} from '@/components/ui/menu';
import { retryChunk } from '@/components/ui/retry-chunk';
import { ApiError } from '@/lib/browser/api-client';
import { Avatar } from './avatar';
import { preservePreferences } from './browser-storage';
import type { ShellUser } from './nav';

const loadDialogs = () => import('./account-dialogs');
const NewTeamDialog = dynamic(
  retryChunk(() => loadDialogs().then((module) => module.NewTeamDialog)),
  { ssr: false },
);

const LeaveDialog = dynamic(
  retryChunk(() => loadDialogs().then((module) => module.LeaveDialog)),
  { ssr: false },
);

/** The accounts that the user can switch between; without any, the menu offers a first team. */
export type Switcher = {
  userId: string;
  activeId: string;
  /** The name of the active account, if it is not the personal account of the user. */
  team: string | undefined;
  /** @property role what the user may do there, as a word */
  accounts: readonly { id: string; name: string; role: string }[];
};

/** `icon`: 16 px, rendered on the server. */
export type AccountMenuLink = { href: string; label: string; icon: ReactNode };

type AccountMenuProps = {
  user: ShellUser;
  /** The text of the button. Without it the button shows only the avatar, and its accessible name is "Account". */
  label?: string;
  securityPath: string;
  /** Further links, above the security link. */
  links?: readonly AccountMenuLink[];
  /** Of the customer area. */
  switcher?: Switcher;
  logoutEndpoint: string;
  loginPath: string;
};

/** Renders the menu of the signed-in user: name and email, accounts, links, and logout. */
export function AccountMenu(props: AccountMenuProps) {
  const { user, label, securityPath, links = [], switcher, logoutEndpoint, loginPath } = props;
  const { pending, logout } = useLogout(logoutEndpoint, loginPath);
  const [opened, setOpened] = useState<'new' | 'leave' | null>(null);
  const name = user.name || user.email;
  const menu = (
    <Menu
      className="w-60"
      trigger={
        <button
          type="button"
          className={label ? buttonClass({ size: 'sm', className: 'max-sm:px-1.5' }) : 'rounded-full'}
        >
          <Avatar name={name} picture={user.picture} className={label ? 'size-5 text-[10px]' : 'size-8 text-xs'} />
          <span className={label ? 'max-sm:sr-only' : 'sr-only'}>{label ?? 'Account'}</span>
          {label ? <ChevronDown className="size-3.5 text-subtle max-sm:hidden" /> : null}
        </button>
      }
    >
      <MenuLabel>
        <span className="block truncate font-medium text-ink text-sm">{name}</span>
        <span className="block truncate text-muted">{user.email}</span>
      </MenuLabel>
      <MenuSeparator />
      {switcher && switcher.accounts.length > 1 ? (
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
      {switcher ? (
        <>
          <MenuItem icon={<Plus className="size-4" />} onSelect={() => setOpened('new')}>
            New team…
          </MenuItem>
          {switcher.team === undefined ? null : (
            <MenuItem icon={<DoorOpen className="size-4" />} onSelect={() => setOpened('leave')}>
              <span className="truncate">{`Leave ${switcher.team}…`}</span>
            </MenuItem>
          )}
          <MenuSeparator />
        </>
      ) : null}
      {links.map(({ href, label: text, icon }) => (
        <MenuLink key={href} href={href} icon={icon}>
          {text}
        </MenuLink>
      ))}
      <MenuLink href={securityPath} icon={<ShieldCheck className="size-4" />}>
        Security
      </MenuLink>
      <MenuItem icon={<LogOut className="size-4" />} disabled={pending} onSelect={() => void logout()}>
        Logout
      </MenuItem>
    </Menu>
  );
  return (
    <>
      {menu}
      {opened === 'new' ? <NewTeamDialog open onOpenChange={() => setOpened(null)} /> : null}
      {opened === 'leave' && switcher?.team !== undefined ? (
        <LeaveDialog
          account={{ id: switcher.activeId, name: switcher.team }}
          userId={switcher.userId}
          open
          onOpenChange={() => setOpened(null)}
        />
      ) : null}
    </>
  );
}

/** Opens the customer area under another account, in a new document with its menus and figures. */
async function switchTo(accountId: string): Promise<void> {
  try {
    const { chooseAccount } = await loadDialogs();
    await chooseAccount(accountId);
    window.location.assign('/user');
  } catch (cause) {
    toast.error((cause instanceof ApiError && cause.message) || 'The account could not be opened. Try again.');
  }
}

/**
 * Ends the session and opens the portal's sign-in, also when the request fails. A full page load clears the user's data
 * from memory.
 */
export function useLogout(endpoint: string, destination: string) {
  const [pending, setPending] = useState(false);
  const logout = async () => {
    setPending(true);
    await preservePreferences(() => Promise.allSettled([fetch(endpoint, { method: 'POST' })]));
    window.location.assign(destination);
  };
  return { pending, logout };
}

type LogoutButtonProps = { endpoint: string; loginPath: string; className?: string };

export function LogoutButton({ endpoint, loginPath, className = 'px-3' }: LogoutButtonProps) {
  const { pending, logout } = useLogout(endpoint, loginPath);
  return (
    <Button
      variant="ghost"
      size="sm"
      pending={pending}
      onClick={logout}
      icon={<LogOut className="size-4" />}
      className={cn('w-full justify-start', className)}
    >
      Logout
    </Button>
  );
}
