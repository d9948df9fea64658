'use client';

import dynamic from 'next/dynamic';
import { useState } from 'react';
import { buttonClass } from '@/components/ui/button';
import { Icon, type IconName } from '@/components/ui/icon';
import { Menu, MenuItem, MenuLabel, MenuLink, MenuSeparator } from '@/components/ui/menu';
import { retryChunk } from '@/components/ui/retry-chunk';
import type { Switcher } from './account-switcher';
import { Avatar } from './avatar';
import type { ShellUser } from './nav';
import { useLogout } from './use-logout';

const AccountDialog = dynamic(
  retryChunk(() => import('./account-dialogs').then((module) => module.AccountDialog)),
  { ssr: false },
);

const loadSwitcher = () => import('./account-switcher');
/** Loaded with the first opening of the menu, or when it is about to be opened. */
const AccountSwitcher = dynamic(
  retryChunk(() => loadSwitcher().then((module) => module.AccountSwitcher)),
  { ssr: false },
);

export type AccountMenuLink = { href: string; label: string; icon: IconName };

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
          onPointerEnter={() => switcher && void loadSwitcher()}
          onFocus={() => switcher && void loadSwitcher()}
          className={label ? buttonClass({ size: 'sm', className: 'max-sm:px-1.5' }) : 'rounded-full'}
        >
          <Avatar name={name} picture={user.picture} className={label ? 'size-5 text-[10px]' : 'size-8 text-xs'} />
          <span className={label ? 'max-sm:sr-only' : 'sr-only'}>{label ?? 'Account'}</span>
          {label ? <Icon name="chevron-down" className="size-3.5 text-subtle max-sm:hidden" /> : null}
        </button>
      }
    >
      <MenuLabel>
        <span className="block truncate font-medium text-ink text-sm">{name}</span>
        <span className="block truncate text-muted">{user.email}</span>
      </MenuLabel>
      <MenuSeparator />
      {switcher ? <AccountSwitcher switcher={switcher} onOpen={setOpened} /> : null}
      {links.map(({ href, label: text, icon }) => (
        <MenuLink key={href} href={href} icon={<Icon name={icon} />}>
          {text}
        </MenuLink>
      ))}
      <MenuLink href={securityPath} icon={<Icon name="shield-check" />}>
        Security
      </MenuLink>
      <MenuItem icon={<Icon name="log-out" />} disabled={pending} onSelect={() => void logout()}>
        Logout
      </MenuItem>
    </Menu>
  );
  return (
    <>
      {menu}
      {opened && switcher ? <AccountDialog kind={opened} switcher={switcher} onClose={() => setOpened(null)} /> : null}
    </>
  );
}
