'use client';

import * as Radix from '@radix-ui/react-dropdown-menu';
import type { ComponentProps, ReactNode } from 'react';
import { cn } from './cn';

/**
 * A dropdown menu: `<Menu trigger={<Button>…</Button>}><MenuItem onSelect=…>…</MenuItem></Menu>`.
 * Neither in a portal nor modal: it stays in the landmark of its opener, and the page around it stays readable for
 * assistive technology. It is positioned fixed, so no scrolling frame clips it.
 */
export function Menu(props: { trigger: ReactNode; align?: 'start' | 'center' | 'end'; children: ReactNode }) {
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{props.trigger}</Radix.Trigger>
      <Radix.Content
        align={props.align ?? 'end'}
        sideOffset={6}
        collisionPadding={8}
        className="z-50 whitespace-normal text-left font-normal max-h-(--radix-dropdown-menu-content-available-height) min-w-48 max-w-80 overflow-y-auto rounded-lg bg-overlay p-1 shadow-overlay data-[state=closed]:animate-menu-out data-[state=open]:animate-menu-in"
      >
        {props.children}
      </Radix.Content>
    </Radix.Root>
  );
}

type MenuItemProps = ComponentProps<typeof Radix.Item> & { icon?: ReactNode; tone?: 'normal' | 'danger' };

/** One entry. With `asChild` and no icon it lends its behaviour to a link. */
export function MenuItem({ icon, tone = 'normal', className, children, ...rest }: MenuItemProps) {
  return (
    <Radix.Item
      {...rest}
      className={cn(
        'flex min-h-8 cursor-pointer select-none items-center gap-2.5 rounded-md px-2.5 py-1.5 text-sm outline-none data-disabled:cursor-not-allowed data-highlighted:bg-sunken data-disabled:opacity-55',
        tone === 'danger' ? 'text-red-ink' : 'text-ink',
        className,
      )}
    >
      {icon ? (
        <>
          <span className="inline-flex size-4 items-center text-subtle">{icon}</span>
          {children}
        </>
      ) : (
        children
      )}
    </Radix.Item>
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <Radix.Label className="px-2.5 py-1.5 text-muted text-xs">{children}</Radix.Label>;
}

export function MenuSeparator() {
  return <Radix.Separator className="-mx-1 my-1 h-px bg-line" />;
}
