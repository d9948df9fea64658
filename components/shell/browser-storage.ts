/** The values set on this page, for browsers that disable storage (private modes, blocked site data). */
const remembered = new Map<string, string>();

/** localStorage that never throws. Where storage is disabled, a value lasts until the page unloads. */
export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return remembered.get(key) ?? null;
  }
}

export function writeStored(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    remembered.set(key, value);
  }
}

export function removeStored(key: string): void {
  remembered.delete(key);
  try {
    localStorage.removeItem(key);
  } catch {
    return;
  }
}

/** Reads a value of this tab; null when there is none, when storage is disabled, or when the value is not JSON. */
export function readSession(name: string): unknown {
  try {
    return JSON.parse(window.sessionStorage.getItem(name) ?? 'null');
  } catch {
    return null;
  }
}

/** Stores a value for this tab; null removes it. Does nothing when storage is disabled or full. */
export function writeSession(name: string, value: unknown): void {
  try {
    if (value === null) window.sessionStorage.removeItem(name);
    else window.sessionStorage.setItem(name, JSON.stringify(value));
  } catch {
    return;
  }
}
