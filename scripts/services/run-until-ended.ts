import type { Child } from '../process/child';
import type { Lifetime } from '../process/lifetime';

/** Waits while all of them run. When one ends by itself, that is a crash: it is reported and everything is ended. */
export async function runUntilEnded(lifetime: Lifetime, children: Child[]): Promise<never> {
  const ended = await Promise.race(children.map((child) => child.exited.then(() => child)));
  // A stop that was asked for ends the children too, and `end` is then under way already.
  if (!lifetime.isEnding()) {
    process.stderr.write(`\nThe ${ended.name} ended unexpectedly. Its last lines:\n${ended.tail()}\n`);
  }
  return lifetime.end(1);
}
