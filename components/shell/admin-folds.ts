import { adminGroups } from './admin-nav';
import { readStored, writeStored } from './browser-storage';

/** Whether a group of the admin sidebar is open is stored in localStorage: `admin_group_{id}`, 1 or 0. */
const keyPrefix = 'admin_group_';

/** Returns the stored state of a group, open by default. Browser only. */
export function readFold(id: string): boolean {
  return readStored(keyPrefix + id) !== '0';
}

const listeners = new Set<() => void>();

export function writeFold(id: string, isOpen: boolean): void {
  writeStored(keyPrefix + id, isOpen ? '1' : '0');
  for (const listener of listeners) listener();
}

export function subscribeFolds(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

const ids = adminGroups.map(({ id }) => id);

/**
 * The text of the inline script that reads the stored states before the first paint. The styles below show them until
 * React is hydrated, because the server does not know them.
 */
export const foldScript = `(()=>{try{if(location.pathname.startsWith("/dashboard"))document.documentElement.dataset.folds=${JSON.stringify(ids)}.map(i=>i+":"+localStorage.getItem("${keyPrefix}"+i)).join(" ")}catch{}})()`;

/** The attribute of a group, with its id, while its stored state is shown by these styles. */
export const foldAttribute = 'data-fold';

const folded = (part: string) =>
  adminGroups.map(({ id }) => `[data-folds~="${id}:0"] [${foldAttribute}="${id}"] ${part}`).join(',');

/** The styles of groups that the user closed. `fold-links` and `fold-icon` are their parts. */
export const foldStyles = [
  `${folded('.fold-links')}{grid-template-rows:0fr;visibility:hidden}`,
  `${folded('.fold-icon')}{rotate:-90deg}`,
].join('');
