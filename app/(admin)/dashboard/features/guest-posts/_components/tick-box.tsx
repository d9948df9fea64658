'use client';

import { useSyncExternalStore } from 'react';
import { Checkbox } from '@/components/ui/checkbox';
import { tickStore } from './tick-store';

export function TickBox({ id, name }: { id: number; name: string }) {
  const ticked = useSyncExternalStore(tickStore.subscribe, tickStore.read, tickStore.readOnServer);
  return (
    <Checkbox
      aria-label={`Select ${name}`}
      checked={ticked.includes(id)}
      onChange={(event) =>
        tickStore.write(event.target.checked ? [...ticked, id] : ticked.filter((other) => other !== id))
      }
    />
  );
}

/** Selects all sites of the page. */
export function TickPage({ ids }: { ids: readonly number[] }) {
  const ticked = useSyncExternalStore(tickStore.subscribe, tickStore.read, tickStore.readOnServer);
  const all = ids.every((id) => ticked.includes(id));
  return (
    <Checkbox
      aria-label="Select every site on this page"
      checked={all && ids.length > 0}
      onChange={() =>
        tickStore.write(all ? ticked.filter((id) => !ids.includes(id)) : [...new Set([...ticked, ...ids])])
      }
    />
  );
}
