import type { Child } from '@/scripts/process/child';
import type { Lifetime } from '@/scripts/process/lifetime';

/** Waits while all processes run. When one ends unexpectedly, reports it and ends the command. */
export async function runUntilEnded(lifetime: Lifetime, children: Child[]): Promise<never> {
  const ended = await Promise.race(children.map((child) => child.exited.then(() => child)));
  // A requested stop ends the children as well; the command is ending then.
  if (!lifetime.isEnding()) {
    process.stderr.write(`\nThe ${ended.name} ended unexpectedly. Its last lines:\n${ended.tail()}\n`);
  }
  return lifetime.end(1);
}
