type Kept<Value> = { version: string; value: Value; bytes: number };

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
export function versionedCache<Value>(maxBytes: number, sizeOf: (value: Value) => number): VersionedCache<Value> {
  const kept = new Map<string, Kept<Value>>();
  const making = new Map<string, Promise<Value>>();
  let total = 0;

  const drop = (key: string) => {
    total -= kept.get(key)?.bytes ?? 0;
    kept.delete(key);
  };
  const keep = (key: string, version: string, value: Value) => {
    drop(key);
    const bytes = sizeOf(value) + 2 * (key.length + version.length);
    if (bytes > maxBytes / 4) return;
    kept.set(key, { version, value, bytes });
    total += bytes;
    for (const oldest of kept.keys()) {
      if (total <= maxBytes) break;
      drop(oldest);
    }
  };

  return {
    bytes: () => total,
    read: async (version, key, make) => {
      const found = kept.get(key);
      if (found?.version === version) {
        // Moves the entry to the end, because eviction starts at the beginning.
        kept.delete(key);
        kept.set(key, found);
        return found.value;
      }
      const flight = `${version} ${key}`;
      const running = making.get(flight);
      if (running) return running;
      const started = make().finally(() => making.delete(flight));
      making.set(flight, started);
      const value = await started;
      keep(key, version, value);
      return value;
    },
  };
}
