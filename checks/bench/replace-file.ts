import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tryAcquireLock } from '@/scripts/process/lock';
import { projectRoot } from '@/scripts/process/root';

const lock = join(projectRoot, 'node_modules/.cache/linkmarket-bench-report.lock');

/** Runs `work` while no other part, of another command, reads and replaces the record or a page of docs. */
export function whileWriting(work: () => void): void {
  mkdirSync(dirname(lock), { recursive: true });
  let release = tryAcquireLock(lock);
  while (!release) {
    // Synchronous, so that a part cannot end before it has written. The lock is held for milliseconds.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    release = tryAcquireLock(lock);
  }
  try {
    work();
  } finally {
    release();
  }
}

/** Replaces a file at once, so that no command reads a part of it. */
export function replaceFile(file: string, text: string): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text);
  renameSync(draft, file);
}
