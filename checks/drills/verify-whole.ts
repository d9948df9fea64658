import { startChild, tsxArgs } from '@/scripts/process/child';
import type { Lifetime } from '@/scripts/process/lifetime';

/** Runs `books:verify -- --all` and `audit:verify -- --all` on the database of the environment. @returns whether both are sound */
export async function verifyWhole(lifetime: Lifetime): Promise<boolean> {
  let isSound = true;
  for (const script of ['books-verify', 'audit-verify']) {
    const child = startChild({ name: script, args: [...tsxArgs(`scripts/${script}.ts`), '--all'], env: {} });
    await lifetime.own(Promise.resolve(child), (running) => running.stop());
    await child.exited;
    const last = child.tail().trim().split('\n').at(-1);
    process.stdout.write(`${script} --all: ${last}\n`);
    if (child.exitCode() === 0) continue;
    process.stdout.write(`${child.tail()}\n`);
    isSound = false;
  }
  return isSound;
}
