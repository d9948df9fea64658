'use client';

import { lazy } from 'react';
import type { BuildCustomFormProps } from './build-custom-form';
import { LazyDialog } from './lazy-dialog';
import { loadDialog } from './load-dialogs';

const BuildCustomForm = lazy(() => loadDialog.custom().then((module) => ({ default: module.BuildCustomForm })));

/** Build Custom: sites chosen one by one, each of which becomes an order of its own. */
export function BuildCustomDialog({ closeHref, ...form }: BuildCustomFormProps & { closeHref: string }) {
  return (
    <LazyDialog
      dialog="custom"
      title="Build Custom"
      description="Choose the sites yourself. Each becomes an order of its own, paid from your wallet."
      closeHref={closeHref}
      size="2xl"
    >
      <BuildCustomForm {...form} />
    </LazyDialog>
  );
}
