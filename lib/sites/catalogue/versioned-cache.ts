type CacheEntry<Value> = { version: string; value: Value; bytes: number };

export type VersionedCache<Value> = {
  /**
   * Returns the value of `key` at `version`, creating it if it is not cached. Concurrent calls for the same value share
   * one `make`; a failure rejects all of them and is not cached.
   */
  read(version: string, key: string, make: () => Promise<Value>): Promise<Value>;
  /** The current size in bytes, as computed by `sizeOf`. */
  bytes(): number;
};

/**
 * Creates a cache of values computed from the catalogue at a version. An entry is only used for the version it was
 * stored under, so a write needs no invalidation. A value may be newer than its version but never older, because the
 * version is read first. Evicts the least recently used entries beyond `maxBytes`, and does not store a value larger than
 * a quarter of it.
 */
export function createVersionedCache<Value>(maxBytes: number, sizeOf: (value: Value) => number): VersionedCache<Value> {
  const entries = new Map<string, CacheEntry<Value>>();
  const pending = new Map<string, Promise<Value>>();
  let total = 0;

  const evict = (key: string) => {
    total -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  };
  const store = (key: string, version: string, value: Value) => {
    evict(key);
    const bytes = sizeOf(value) + 2 * (key.length + version.length);
    if (bytes > maxBytes / 4) return;
    entries.set(key, { version, value, bytes });
    total += bytes;
    for (const oldest of entries.keys()) {
      if (total <= maxBytes) break;
      evict(oldest);
    }
  };

  return {
    bytes: () => total,
    read: async (version, key, make) => {
      const found = entries.get(key);
      if (found?.version === version) {
        // Moves the entry to the end, because eviction starts at the beginning.
        entries.delete(key);
        entries.set(key, found);
        return found.value;
      }
      const pendingKey = `${version} ${key}`;
      const inFlight = pending.get(pendingKey);
      if (inFlight) return inFlight;
      const started = make().finally(() => pending.delete(pendingKey));
      pending.set(pendingKey, started);
      const value = await started;
      store(key, version, value);
      return value;
    },
  };
}
