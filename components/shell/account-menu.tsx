'use client';

import { ChevronDown, LogOut } from 'lucide-react';
import { buttonClass } from '../ui/button-class';
import { Menu, MenuItem, MenuSeparator } from '../ui/menu';
import { Avatar } from './avatar';
import type { ShellUser } from './types';
import { useLogout } from './use-logout';

type AccountMenuProps = {
  user: ShellUser;
  /** The text of the opener; without it the avatar alone, named "Account". */
  label?: string;
  logoutEndpoint: string;
  loginPath: string;
};

/** Who is signed in, and the way out. */
export function AccountMenu({ user, label, logoutEndpoint, loginPath }: AccountMenuProps) {
  const { pending, logout } = useLogout(logoutEndpoint, loginPath);
  const trigger = label ? (
    <button type="button" className={buttonClass({ size: 'sm', className: 'max-sm:px-2' })}>
      <Avatar name={user.name || user.email} className="size-5 text-[10px]" />
      <span className="max-sm:sr-only">{label}</span>
      <ChevronDown aria-hidden="true" className="size-3.5 text-subtle max-sm:hidden" />
    </button>
  ) : (
    <button type="button" aria-label="Account" className="grid size-8 place-items-center rounded-full">
      <Avatar name={user.name || user.email} className="size-7 text-xs" />
    </button>
  );
  return (
    <Menu trigger={trigger}>
      <div className="px-2.5 py-1.5 text-sm">
        <p className="truncate font-medium text-ink">{user.name || 'Signed in'}</p>
        <p className="truncate text-muted text-xs">{user.email}</p>
      </div>
      <MenuSeparator />
      <MenuItem icon={<LogOut aria-hidden="true" className="size-4" />} disabled={pending} onSelect={logout}>
        Logout
      </MenuItem>
    </Menu>
  );
}
