'use client';

import { usePathname } from 'next/navigation';
import { useEffect, useLayoutEffect } from 'react';
import { buttonClass } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { applyTheme, chooseTheme, themeOf, themeScript } from './theme';

/**
 * Sets data-theme before the first paint. A client component, because the server would send the text of the script twice
 * in every page.
 */
export const ThemeScript = ({ nonce }: { nonce: string | undefined }) => (
  // Browsers hide the nonce attribute from scripts, so hydration always finds a difference.
  <script nonce={nonce} suppressHydrationWarning>
    {themeScript}
  </script>
);

/**
 * Applies the theme again when the user enters another portal, when another tab changes it, or when the system's
 * preference changes.
 */
export function ThemeSync() {
  const pathname = usePathname();

  useLayoutEffect(() => applyTheme(themeOf(pathname)), [pathname]);

  useEffect(() => {
    const again = () => applyTheme(themeOf(pathname));
    const system = matchMedia('(prefers-color-scheme: dark)');
    system.addEventListener('change', again);
    window.addEventListener('storage', again);
    return () => {
      system.removeEventListener('change', again);
      window.removeEventListener('storage', again);
    };
  }, [pathname]);

  return null;
}

/**
 * Switches to the other theme for the current portal; its name says to which. CSS selects name and icon, so that they
 * are correct before hydration.
 */
export function ThemeToggle({ withLabel = false, className }: { withLabel?: boolean; className?: string }) {
  const pathname = usePathname();
  const look = withLabel ? undefined : 'sr-only';
  return (
    <button
      type="button"
      data-tooltip={withLabel ? undefined : 'Switch between light and dark'}
      onClick={() => chooseTheme(pathname, document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark')}
      className={buttonClass({ variant: 'ghost', size: 'sm', square: !withLabel, className })}
    >
      <span className="contents dark:hidden">
        <Icon name="moon" />
        <span className={look}>Switch to dark</span>
      </span>
      <span className="hidden dark:contents">
        <Icon name="sun" />
        <span className={look}>Switch to light</span>
      </span>
    </button>
  );
}
