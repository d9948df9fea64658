'use server';

import { action } from '@/lib/auth/action';
import { markSite } from '@/lib/sites/preferences/mark-site';
import { deleteFilter, saveColumns, saveFilter } from '@/lib/sites/preferences/save-filter';
import { deleteFilterInput, markSiteInput, saveColumnsInput, saveFilterInput } from '@/lib/sites/preferences/schemas';

/** Favourite or hidden, or no more of it. */
export const markSiteAction = action({ access: 'session', input: markSiteInput }, markSite);

export const saveFilterAction = action({ access: 'session', input: saveFilterInput }, saveFilter);

export const deleteFilterAction = action({ access: 'session', input: deleteFilterInput }, (actor, { id }) =>
  deleteFilter(actor, id),
);

export const saveColumnsAction = action({ access: 'session', input: saveColumnsInput }, (actor, { columns }) =>
  saveColumns(actor, columns),
);
