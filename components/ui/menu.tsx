'use client';

import * as Radix from '@radix-ui/react-dropdown-menu';
import { Check } from 'lucide-react';
import Link from 'next/link';
import { createContext, type ReactElement, type ReactNode, use, useRef } from 'react';
import { cn } from './cn';

/** Registers what an item does, to run after the menu has closed. */
const RunAfterClose = createContext<(action: () => void) => void>((action) => action());

type MenuProps = {
  /** The button that opens the menu; it has the focus again when the menu closes. */
  trigger: ReactElement;
  align?: 'start' | 'end';
  className?: string;
  /** MenuItem, MenuLink, MenuCheckboxItem, MenuRadioGroup, MenuLabel and MenuSeparator. */
  children: ReactNode;
};

/**
 * A dropdown menu on Radix. The action of an item runs after the menu has closed and its button has the focus, so that a
 * dialog opened by the item returns the focus to that button. It stands beside its button in the document, not at the end
 * of the body, so that it belongs to the same landmark.
 */
export function Menu({ trigger, align = 'end', className, children }: MenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  const action = useRef<(() => void) | null>(null);
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger ref={button} asChild>
        {trigger}
      </Radix.Trigger>
      <Radix.Content
        align={align}
        sideOffset={4}
        collisionPadding={8}
        onCloseAutoFocus={(event) => {
          const run = action.current;
          if (!run) return;
          action.current = null;
          event.preventDefault();
          button.current?.focus();
          run();
        }}
        className={cn(
          'z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-44 max-w-[calc(100vw-1rem)] animate-menu-in overflow-y-auto rounded-lg bg-overlay p-1 text-left font-normal text-ink shadow-overlay outline-none',
          className,
        )}
      >
        <RunAfterClose
          value={(next) => {
            action.current = next;
          }}
        >
          {children}
        </RunAfterClose>
      </Radix.Content>
    </Radix.Root>
  );
}

type ItemLook = {
  /** 16 px. */
  icon?: ReactNode;
  tone?: 'danger';
  children: ReactNode;
};

const itemClass = (tone: ItemLook['tone']) => cn('menu-item', tone === 'danger' && 'menu-item-danger');

type MenuItemProps = ItemLook & { disabled?: boolean; onSelect: () => void };

/** An item that does something. */
export function MenuItem({ disabled, onSelect, ...look }: MenuItemProps) {
  const runAfterClose = use(RunAfterClose);
  return (
    <Radix.Item disabled={disabled} onSelect={() => runAfterClose(onSelect)} className={itemClass(look.tone)}>
      {look.icon}
      {look.children}
    </Radix.Item>
  );
}

type MenuLinkProps = ItemLook & { href: string; scroll?: boolean; download?: string };

/** An item that leads to another address of the app, or with `download` saves a file. */
export function MenuLink({ href, scroll, download, ...look }: MenuLinkProps) {
  return (
    <Radix.Item asChild className={itemClass(look.tone)}>
      {download === undefined ? (
        <Link prefetch={false} href={href} scroll={scroll}>
          {look.icon}
          {look.children}
        </Link>
      ) : (
        <a href={href} download={download}>
          {look.icon}
          {look.children}
        </a>
      )}
    </Radix.Item>
  );
}

type MenuCheckboxItemProps = { checked: boolean; onChange: (checked: boolean) => void; children: ReactNode };

/** One of several independent choices. The menu stays open. @public */
export function MenuCheckboxItem({ checked, onChange, children }: MenuCheckboxItemProps) {
  return (
    <Radix.CheckboxItem
      checked={checked}
      onCheckedChange={onChange}
      onSelect={(event) => event.preventDefault()}
      className="menu-item"
    >
      <Chosen />
      {children}
    </Radix.CheckboxItem>
  );
}

type MenuRadioGroupProps = { value: string; onChange: (value: string) => void; children: ReactNode };

/** A choice of one of its MenuRadioItems. @public */
export function MenuRadioGroup({ value, onChange, children }: MenuRadioGroupProps) {
  return (
    <Radix.RadioGroup value={value} onValueChange={onChange}>
      {children}
    </Radix.RadioGroup>
  );
}

/** One option of a MenuRadioGroup. @public */
export function MenuRadioItem({ value, children }: { value: string; children: ReactNode }) {
  return (
    <Radix.RadioItem value={value} className="menu-item">
      <Chosen />
      {children}
    </Radix.RadioItem>
  );
}

function Chosen() {
  return (
    <span className="size-4 shrink-0">
      <Radix.ItemIndicator>
        <Check className="size-4 text-accent-ink" />
      </Radix.ItemIndicator>
    </span>
  );
}

/** Text above a group of items. */
export function MenuLabel({ className, children }: { className?: string; children: ReactNode }) {
  return <Radix.Label className={cn('px-2.5 py-1.5 text-subtle text-xs', className)}>{children}</Radix.Label>;
}

export function MenuSeparator() {
  return <Radix.Separator className="-mx-1 my-1 h-px bg-line" />;
}
