'use client';

import { Moon, Sun } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { useSyncExternalStore } from 'react';
import { buttonClass } from '../ui/button-class';
import { chooseTheme } from './theme';

function subscribe(onChange: () => void) {
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => observer.disconnect();
}

const isDark = () => document.documentElement.dataset.theme === 'dark';

/** Switches light and dark for the current portal. CSS selects the icon, so that it is correct before hydration. */
export function ThemeToggle({ withLabel = false, className }: { withLabel?: boolean; className?: string }) {
  const pathname = usePathname();
  const dark = useSyncExternalStore(subscribe, isDark, () => false);
  return (
    <button
      type="button"
      aria-label="Dark mode"
      aria-pressed={dark}
      title="Switch between light and dark"
      onClick={() => chooseTheme(pathname, dark ? 'light' : 'dark')}
      className={buttonClass({ variant: 'ghost', size: 'sm', square: !withLabel, className })}
    >
      <Sun className="hidden size-4 dark:block" />
      <Moon className="size-4 dark:hidden" />
      {withLabel ? 'Dark mode' : null}
    </button>
  );
}
