'use client';

import { useSyncExternalStore } from 'react';
import { Checkbox } from '@/components/ui/checkbox';
import { selectedIdsStore } from './selected-ids-store';

export function SiteCheckbox({ id, name }: { id: number; name: string }) {
  const selected = useSyncExternalStore(
    selectedIdsStore.subscribe,
    selectedIdsStore.read,
    selectedIdsStore.readOnServer,
  );
  return (
    <Checkbox
      aria-label={`Select ${name}`}
      checked={selected.includes(id)}
      onChange={(event) =>
        selectedIdsStore.write(event.target.checked ? [...selected, id] : selected.filter((other) => other !== id))
      }
    />
  );
}

/** Selects all sites of the page. */
export function PageCheckbox({ ids }: { ids: readonly number[] }) {
  const selected = useSyncExternalStore(
    selectedIdsStore.subscribe,
    selectedIdsStore.read,
    selectedIdsStore.readOnServer,
  );
  const all = ids.every((id) => selected.includes(id));
  return (
    <Checkbox
      aria-label="Select every site on this page"
      checked={all && ids.length > 0}
      onChange={() =>
        selectedIdsStore.write(all ? selected.filter((id) => !ids.includes(id)) : [...new Set([...selected, ...ids])])
      }
    />
  );
}
