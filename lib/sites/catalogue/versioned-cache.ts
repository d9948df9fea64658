type Kept<Value> = { version: string; value: Value; bytes: number };

export type VersionedCache<Value> = {
  /**
   * The value of `key` at `version`, made unless it is known. Whoever asks for the same while it is being made waits
   * for that one; a failure is everybody's who waited, and is not remembered.
   */
  read(version: string, key: string, make: () => Promise<Value>): Promise<Value>;
  /** What it holds now, in bytes as `sizeOf` counts them. */
  bytes(): number;
};

/**
 * A memory of what was computed from the catalogue at a version. A value counts only for the version it was asked for,
 * so nothing has to be thrown away on a write; it may be newer than that version, never older, because the version is
 * read first. Holds `maxBytes` at most: what was not asked for the longest goes first, and a value larger than a
 * quarter of the whole is not kept.
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
        // Moved to the end, away from what is dropped first.
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
