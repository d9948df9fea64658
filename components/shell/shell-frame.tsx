'use client';

import { usePathname } from 'next/navigation';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { IconButton } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
import { Icon } from '@/components/ui/icon';
import { SkipLink } from './skip-link';

type ShellFrameProps = {
  /** The side menu's accessible name. */
  menuLabel: string;
  /** The brand above the side menu's links. */
  brand: ReactNode;
  /** The links; null renders no side menu. */
  menu: ReactNode;
  menuFooter?: ReactNode;
  /** The width of the side menu as a Tailwind class. */
  menuWidth: 'w-[250px]' | 'w-[260px]';
  topBar: ReactNode;
  /** A sticky strip of 24 px above everything: the SandboxBanner. */
  banner?: ReactNode;
  /**
   * Paths of pages whose side menu is a rail of its icons from 768 px on: 56 px wide, so that the logo stays in its
   * place. Below 768 px they have the drawer of all pages.
   */
  railOn?: readonly string[];
  children: ReactNode;
};

/**
 * Renders the frame of the three portals: side menu, top bar, page. Below 768 px the menu is a drawer over the page,
 * closed initially. From 768 px on it is always visible; CSS alone decides this, so that the first paint is correct.
 */
export function ShellFrame(props: ShellFrameProps) {
  const { menuLabel, brand, menu, menuFooter, menuWidth, topBar, banner, railOn } = props;
  const pathname = usePathname();
  const isRail = railOn?.includes(pathname) ?? false;
  const { open, show, close, opener, drawer } = useDrawer(pathname);
  return (
    <div data-shell="" className={cn('flex min-h-dvh flex-col', Boolean(banner) && '[--banner:1.5rem]')}>
      <SkipLink />
      {banner}
      <div className="flex flex-1">
        {menu ? (
          <>
            {open ? (
              <div
                aria-hidden="true"
                onClick={close}
                className="fixed inset-0 z-30 animate-scrim-in bg-scrim md:hidden"
              />
            ) : null}
            <aside
              ref={drawer}
              data-rail={isRail || undefined}
              className={cn(
                'side-menu',
                menuWidth,
                isRail && 'md:w-14',
                open ? 'max-md:shadow-overlay' : 'max-md:invisible max-md:-translate-x-full',
              )}
            >
              <div className="flex h-(--top-bar) shrink-0 items-center justify-between px-4">
                {brand}
                <IconButton label="Close menu" onClick={close} className="md:hidden">
                  <Icon name="x" />
                </IconButton>
              </div>
              <nav
                aria-label={menuLabel}
                className={cn('min-h-0 flex-1 overflow-y-auto px-3 py-2', isRail && 'md:px-2')}
              >
                {menu}
              </nav>
              {menuFooter ? <div className="shrink-0 border-line border-t p-3">{menuFooter}</div> : null}
            </aside>
          </>
        ) : null}
        <div inert={open} className="flex min-w-0 flex-1 flex-col">
          <header className="sticky top-(--banner) z-20 border-line border-b bg-canvas">
            <div className="flex h-(--top-bar) items-center gap-2 px-4 sm:gap-3 sm:px-6">
              {menu ? (
                <IconButton
                  ref={opener}
                  label="Open menu"
                  aria-expanded={open}
                  onClick={show}
                  className="-ml-1.5 md:hidden"
                >
                  <Icon name="menu" />
                </IconButton>
              ) : (
                <div className="mr-2 max-sm:hidden">{brand}</div>
              )}
              {topBar}
            </div>
          </header>
          <main id="main" tabIndex={-1} className="flex-1 px-4 py-6 outline-none sm:px-6 lg:px-8">
            <div className="mx-auto w-full max-w-[1440px]">{props.children}</div>
          </main>
        </div>
      </div>
    </div>
  );
}

/** From this width on the side menu is always visible. */
const wideScreen = '(min-width: 768px)';

/**
 * Controls the side menu of small screens. It closes on a navigation, on Escape and when the window reaches 768 px. The
 * focus moves into it when it opens and back to its opener when it closes.
 */
function useDrawer(pathname: string) {
  const [openOn, setOpenOn] = useState<string | null>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const drawer = useRef<HTMLElement>(null);
  const open = openOn === pathname;

  useEffect(() => {
    if (!open) return;
    drawer.current?.querySelector<HTMLElement>('a, button')?.focus();
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setOpenOn(null);
    };
    const wide = matchMedia(wideScreen);
    const onResize = () => setOpenOn(null);
    const back = opener.current;
    document.addEventListener('keydown', onKey);
    wide.addEventListener('change', onResize);
    return () => {
      document.removeEventListener('keydown', onKey);
      wide.removeEventListener('change', onResize);
      // After React has removed `inert` from the page, which contains the opener.
      requestAnimationFrame(() => back?.focus());
    };
  }, [open]);

  return { open, show: () => setOpenOn(pathname), close: () => setOpenOn(null), opener, drawer };
}
