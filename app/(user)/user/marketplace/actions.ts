'use server';

import { z } from 'zod';
import { columnChoices } from '@/components/sites/site-columns';
import { action } from '@/lib/auth/action';
import { markSite, saveColumns } from '@/lib/sites/preferences/preferences';
import { markSiteInput, saveFilterInput } from '@/lib/sites/preferences/schemas';
import { deleteFilter, deleteFilterInput, saveFilter } from '@/lib/users/saved-filters';

const columnKeys = columnChoices.map(({ key }) => key);
const saveColumnsInput = z.object({ columns: z.array(z.enum(columnKeys)).max(columnKeys.length * 2) });

/** Marks a site as a favourite or as hidden, or removes the mark. */
export const markSiteAction = action({ access: 'account:orders', input: markSiteInput }, markSite);

export const saveFilterAction = action({ access: 'session', input: saveFilterInput }, saveFilter);

export const deleteFilterAction = action({ access: 'session', input: deleteFilterInput }, (actor, { id }) =>
  deleteFilter(actor, id),
);

export const saveColumnsAction = action({ access: 'session', input: saveColumnsInput }, (actor, { columns }) =>
  saveColumns(
    actor,
    columnKeys.filter((key) => columns.includes(key)),
  ),
);
