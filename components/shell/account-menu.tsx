'use client';

import { ChevronDown, LogOut, ShieldCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { buttonClass } from '../ui/button-class';
import { Menu, MenuItem, MenuLabel, MenuLink, MenuSeparator } from '../ui/menu';
import { Avatar } from './avatar';
import type { ShellUser } from './types';
import { useLogout } from './use-logout';

/** `icon` is drawn by the server: 16 px. */
export type AccountMenuLink = { href: string; label: string; icon: ReactNode };

type AccountMenuProps = {
  user: ShellUser;
  /** The text of the button; without it the avatar alone, named "Account". */
  label?: string;
  /** The page of sessions, password and two-step sign-in. */
  securityPath: string;
  /** Further links, above security. */
  links?: readonly AccountMenuLink[];
  logoutEndpoint: string;
  loginPath: string;
};

/** The menu of the signed-in user: name and email, links, and logout. */
export function AccountMenu(props: AccountMenuProps) {
  const { user, label, securityPath, links = [], logoutEndpoint, loginPath } = props;
  const { pending, logout } = useLogout(logoutEndpoint, loginPath);
  const name = user.name || user.email;
  return (
    <Menu
      className="w-60"
      trigger={
        <button
          type="button"
          aria-label={label ? undefined : 'Account'}
          className={label ? buttonClass({ size: 'sm', className: 'max-sm:px-1.5' }) : 'rounded-full'}
        >
          <Avatar name={name} picture={user.picture} className={label ? 'size-5 text-[10px]' : 'size-8 text-xs'} />
          {label ? <span className="max-sm:sr-only">{label}</span> : null}
          {label ? <ChevronDown className="size-3.5 text-subtle max-sm:hidden" /> : null}
        </button>
      }
    >
      <MenuLabel>
        <span className="block truncate font-medium text-ink text-sm">{name}</span>
        <span className="block truncate text-muted">{user.email}</span>
      </MenuLabel>
      <MenuSeparator />
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
}
