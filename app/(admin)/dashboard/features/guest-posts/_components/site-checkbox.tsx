'use client';

import { createRowSelection, PageCheckbox, RowCheckbox } from '@/components/table/row-selection';

/** The selected sites. */
export const siteSelection = createRowSelection<number>();

export const SiteCheckbox = ({ id, name }: { id: number; name: string }) => (
  <RowCheckbox selection={siteSelection} id={id} label={`Select ${name}`} />
);

/** Selects all sites of the page. */
export const SitesCheckbox = ({ ids }: { ids: readonly number[] }) => (
  <PageCheckbox selection={siteSelection} ids={ids} label="Select every site on this page" />
);
