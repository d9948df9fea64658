/** The ids of the selected sites. They are kept in memory across pages and filters, and are lost on reload. */
let selected: readonly number[] = [];
const none: readonly number[] = [];
const listeners = new Set<() => void>();

export const selectedIdsStore = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  read: () => selected,
  readOnServer: () => none,
  write: (ids: readonly number[]) => {
    selected = ids;
    for (const listener of listeners) listener();
  },
};
