import { existsSync, linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';

/**
 * Writes a file unless it exists, and returns its content: concurrent callers get the same complete content. Only the
 * owner may read it.
 */
export function writeOnce(path: string, content: string): string {
  if (!existsSync(path)) {
    const draft = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}`;
    writeFileSync(draft, content, { mode: 0o600 });
    try {
      linkSync(draft, path);
    } catch (error) {
      if (!existsSync(path)) throw error;
    } finally {
      unlinkSync(draft);
    }
  }
  return readFileSync(path, 'utf8');
}
