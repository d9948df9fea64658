import { readdirSync, readFileSync } from 'node:fs';

/**
 * Returns the CPU time of a process and its descendants in milliseconds, on Linux: of all their running threads. It does
 * not depend on how much of the machine other programs use.
 */
export function readCpuMs(pid: number): number {
  return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
    const task = `/proc/${pid}/task/${thread}`;
    const [nanoseconds] = readFileSync(`${task}/schedstat`, 'utf8').split(' ');
    const children = readFileSync(`${task}/children`, 'utf8').split(' ').map(Number).filter(Boolean);
    return sum + Number(nanoseconds) / 1e6 + children.reduce((total, child) => total + readCpuMs(child), 0);
  }, 0);
}

/**
 * Returns the time that the cores of the machine together have worked in milliseconds, on Linux. It includes the time that
 * the host gave to other machines.
 */
export function readBusyMs(): number {
  const [, user, nice, system, , , irq, softIrq, steal] = readFileSync('/proc/stat', 'utf8').split(/\s+/).map(Number);
  return [user, nice, system, irq, softIrq, steal].reduce<number>((sum, ticks) => sum + (ticks ?? 0) * tickMs, 0);
}

/** USER_HZ is 100 on every platform of Linux that Node.js supports. */
const tickMs = 10;
