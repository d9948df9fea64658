'use client';

import { type ReactNode, useId, useRef } from 'react';
import { buttonClass } from '../ui/button-class';
import { cn } from '../ui/cn';
import { Link } from '../ui/link';
import { Avatar } from './avatar';
import { LogoutButton } from './logout-button';
import type { ShellUser } from './types';

/** `icon` is drawn by the server: 16 px. */
export type MenuLink = { href: string; label: string; icon: ReactNode };

type AccountMenuProps = {
  user: ShellUser;
  /** The text of the opener; without it the avatar alone, named "Account". */
  label?: string;
  /** Where sessions, password and two-step sign-in are. */
  securityPath: string;
  /** What else the menu leads to, above security. */
  links?: readonly MenuLink[];
  logoutEndpoint: string;
  loginPath: string;
};

/**
 * Who is signed in, and the way out. The browser's own popover: it closes by Escape and by a press elsewhere, gives
 * the focus back, and keeps a menu library off every page's first load.
 */
export function AccountMenu(props: AccountMenuProps) {
  const { user, label, securityPath, links = [], logoutEndpoint, loginPath } = props;
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  const name = user.name || user.email;
  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        aria-label={label ? undefined : 'Account'}
        className={label ? buttonClass({ size: 'sm', className: 'max-sm:px-1.5' }) : 'rounded-full'}
      >
        <Avatar name={name} picture={user.picture} className={label ? 'size-5 text-[10px]' : 'size-8 text-xs'} />
        {label ? <span className="max-sm:sr-only">{label}</span> : null}
        {label ? <span aria-hidden="true" className="icon-chevron-down size-3.5 text-subtle max-sm:hidden" /> : null}
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        className={cn(
          'fixed inset-auto top-[calc(var(--banner)+var(--top-bar)-0.25rem)] right-4 m-0 w-60 rounded-lg bg-overlay p-1 text-ink shadow-overlay sm:right-6',
          'open:animate-menu-in',
        )}
      >
        <div className="border-line border-b px-2.5 pt-1.5 pb-2.5">
          <p className="truncate font-medium">{name}</p>
          <p className="truncate text-muted text-xs">{user.email}</p>
        </div>
        <div className="mt-1 grid">
          {[...links, security(securityPath)].map(({ href, label: text, icon }) => (
            // The frame stays when the page changes, so the menu has to be closed by hand.
            <Link
              key={href}
              href={href}
              onClick={() => menu.current?.hidePopover()}
              className={buttonClass({ variant: 'ghost', size: 'sm', className: 'w-full justify-start px-2.5' })}
            >
              <span className="-ml-0.5 inline-flex size-4 items-center">{icon}</span>
              {text}
            </Link>
          ))}
        </div>
        <LogoutButton endpoint={logoutEndpoint} loginPath={loginPath} className="px-2.5" />
      </div>
    </>
  );
}

function security(href: string): MenuLink {
  return { href, label: 'Security', icon: <span aria-hidden="true" className="icon-shield size-4" /> };
}
