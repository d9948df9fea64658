/** The ids of the selected sites. They are kept in memory across pages and filters, and are lost on reload. */
let ticked: readonly number[] = [];
const none: readonly number[] = [];
const listeners = new Set<() => void>();

export const tickStore = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  read: () => ticked,
  readOnServer: () => none,
  write: (ids: readonly number[]) => {
    ticked = ids;
    for (const listener of listeners) listener();
  },
};
