import { AppRouterContext, type AppRouterInstance } from 'next/dist/shared/lib/app-router-context.shared-runtime';
import type { ReactNode } from 'react';

/** Link requires a router context; rendering alone never uses it. */
const goNowhere = () => undefined;
const router: AppRouterInstance = {
  back: goNowhere,
  forward: goNowhere,
  refresh: goNowhere,
  push: goNowhere,
  replace: goNowhere,
  prefetch: goNowhere,
  bfcacheId: '',
};

/** Wraps a part of a page, so that it can be rendered alone. */
export const routed = (part: ReactNode) => <AppRouterContext value={router}>{part}</AppRouterContext>;

/** The text of markup, with single spaces between its elements. */
export const textOf = (markup: string): string =>
  markup
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
