'use client';

import Link from 'next/link';
import {
  cloneElement,
  createContext,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  use,
  useRef,
  useState,
} from 'react';
import { toast } from 'sonner';
import { cn } from './cn';
import { Icon } from './icon';

/** Loaded with the first opening: the library and its dependencies are 37 kB. */
const loadRadix = () => import('@radix-ui/react-dropdown-menu');
type RadixMenu = Awaited<ReturnType<typeof loadRadix>>;

const MenuContext = createContext<{ Radix: RadixMenu; runAfterClose: (action: () => void) => void } | null>(null);

function useMenu() {
  const menu = use(MenuContext);
  if (!menu) throw new Error('A menu item must be rendered inside a Menu.');
  return menu;
}

type TriggerProps = {
  'aria-haspopup'?: 'menu';
  'aria-expanded'?: boolean;
  onPointerEnter?: () => void;
  onFocus?: () => void;
  onClick?: (event: MouseEvent) => void;
  onKeyDown?: (event: KeyboardEvent) => void;
};

type MenuProps = {
  /** The button that opens the menu; it receives the focus when the menu closes. */
  trigger: ReactElement<TriggerProps>;
  align?: 'start' | 'end';
  className?: string;
  /** MenuItem, MenuLink, MenuCheckboxItem, MenuRadioGroup, MenuLabel and MenuSeparator. */
  children: ReactNode;
};

/** A dropdown menu based on Radix. Its code is loaded when the button is hovered or focused. */
export function Menu(props: MenuProps) {
  const [loaded, setLoaded] = useState<{ Radix: RadixMenu; byKeyboard: boolean } | null>(null);
  if (loaded) return <LoadedMenu {...props} {...loaded} />;
  const preload = () => void Promise.allSettled([loadRadix()]);
  const open = (byKeyboard: boolean) =>
    void loadRadix().then(
      (Radix) => setLoaded({ Radix, byKeyboard }),
      () => toast.error('The menu could not be loaded. Try again.'),
    );
  return cloneElement(props.trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onPointerEnter: preload,
    onFocus: preload,
    // The Enter and Space keys click with `detail` 0.
    onClick: (event) => open(event.detail === 0),
    onKeyDown: (event) => {
      if (event.key !== 'ArrowDown') return;
      event.preventDefault();
      open(true);
    },
  });
}

/**
 * An item's action runs after the menu has closed and its button has the focus, so that a dialog opened by the item
 * returns the focus to that button. The menu is rendered beside its button in the document, not at the end of the body,
 * so that it is in the same landmark.
 */
function LoadedMenu({
  Radix,
  byKeyboard,
  trigger,
  align = 'end',
  className,
  children,
}: MenuProps & { Radix: RadixMenu; byKeyboard: boolean }) {
  const button = useRef<HTMLButtonElement>(null);
  const action = useRef<(() => void) | null>(null);
  // Radix was not loaded when the key opened the menu for the first time.
  const focusesFirstItem = useRef(byKeyboard);
  return (
    <Radix.Root modal={false} defaultOpen>
      <Radix.Trigger ref={button} asChild>
        {trigger}
      </Radix.Trigger>
      <Radix.Content
        align={align}
        sideOffset={4}
        collisionPadding={8}
        // A long menu scrolls, and its items are not in the tab order until one has the focus.
        tabIndex={0}
        onFocus={({ currentTarget }) => {
          if (!focusesFirstItem.current) return;
          focusesFirstItem.current = false;
          currentTarget.querySelector<HTMLElement>('[role^="menuitem"]:not([data-disabled])')?.focus();
        }}
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
        <MenuContext
          value={{
            Radix,
            runAfterClose: (next) => {
              action.current = next;
            },
          }}
        >
          {children}
        </MenuContext>
      </Radix.Content>
    </Radix.Root>
  );
}

type ItemOptions = {
  /** 16 px. */
  icon?: ReactNode;
  tone?: 'danger';
  children: ReactNode;
};

const itemClass = (tone: ItemOptions['tone']) => cn('menu-item', tone === 'danger' && 'menu-item-danger');

type MenuItemProps = ItemOptions & { disabled?: boolean; onSelect: () => void };

/** A menu item with an action. */
export function MenuItem({ disabled, onSelect, ...look }: MenuItemProps) {
  const { Radix, runAfterClose } = useMenu();
  return (
    <Radix.Item disabled={disabled} onSelect={() => runAfterClose(onSelect)} className={itemClass(look.tone)}>
      {look.icon}
      {look.children}
    </Radix.Item>
  );
}

type MenuLinkProps = ItemOptions & { href: string; scroll?: boolean; download?: string };

/** A menu item that navigates within the app, or with `download` saves a file. */
export function MenuLink({ href, scroll, download, ...look }: MenuLinkProps) {
  const { Radix } = useMenu();
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

/** One of several independent options. The menu stays open. */
export function MenuCheckboxItem({ checked, onChange, children }: MenuCheckboxItemProps) {
  const { Radix } = useMenu();
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

/** A group of exclusive MenuRadioItems. */
export function MenuRadioGroup({ value, onChange, children }: MenuRadioGroupProps) {
  const { Radix } = useMenu();
  return (
    <Radix.RadioGroup value={value} onValueChange={onChange}>
      {children}
    </Radix.RadioGroup>
  );
}

/** One option of a MenuRadioGroup. */
export function MenuRadioItem({ value, children }: { value: string; children: ReactNode }) {
  const { Radix } = useMenu();
  return (
    <Radix.RadioItem value={value} className="menu-item">
      <Chosen />
      {children}
    </Radix.RadioItem>
  );
}

function Chosen() {
  const { Radix } = useMenu();
  return (
    <span className="size-4 shrink-0">
      <Radix.ItemIndicator>
        <Icon name="check" className="text-accent-ink" />
      </Radix.ItemIndicator>
    </span>
  );
}

/** The heading of a group of items. */
export function MenuLabel({ className, children }: { className?: string; children: ReactNode }) {
  const { Radix } = useMenu();
  return <Radix.Label className={cn('px-2.5 py-1.5 text-subtle text-xs', className)}>{children}</Radix.Label>;
}

export function MenuSeparator() {
  const { Radix } = useMenu();
  return <Radix.Separator className="-mx-1 my-1 h-px bg-line" />;
}
