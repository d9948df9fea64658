'use client';

import { usePathname } from 'next/navigation';
import { useEffect, useLayoutEffect } from 'react';
import { applyTheme, themeOf } from './theme';

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
