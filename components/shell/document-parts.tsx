'use client';

import { Toaster } from 'sonner';
import { Reauthentication } from '@/components/security/sign-in-again';
import { TimeTicker, Tooltips } from '@/components/ui/document-listeners';
import { ThemeSync } from './theme-toggle';

/** Renders what every document has once. One client component, because each of them is described in every page. */
export const DocumentParts = () => (
  <>
    <ThemeSync />
    <TimeTicker />
    <Tooltips />
    {/* On phones a toast is above the buttons of a dialog, which is a sheet at the bottom. */}
    <Toaster
      position="bottom-right"
      theme="system"
      duration={3000}
      offset={16}
      mobileOffset={{ bottom: 68, left: 12, right: 12 }}
      gap={8}
    />
    <Reauthentication />
  </>
);
