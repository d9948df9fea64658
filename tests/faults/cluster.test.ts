import { readdirSync, readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { expect, it } from 'vitest';
import { makeAccount, testPassword } from '@/tests/factories/make-account';
import { openInstallation, signIn } from '@/tests/setup/installation';
import { readMetrics } from '@/tests/setup/scraped-metrics';

const installation = await openInstallation();
const { appUrl } = installation;
const size = 2;
const metricsToken = 'a-token-of-prometheus';
const command = await installation.startCommand({ WEB_CONCURRENCY: String(size), METRICS_TOKEN: metricsToken });

/** The processes that serve the port. */
const listProcesses = (): number[] =>
  readdirSync(`/proc/${command.pid}/task`)
    .flatMap((task) => readFileSync(`/proc/${command.pid}/task/${task}/children`, 'utf8').trim().split(' '))
    .filter((pid) => pid !== '' && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('next'))
    .map(Number)
    .sort((one, other) => one - other);
const readVariable = (pid: number, name: string) =>
  readFileSync(`/proc/${pid}/environ`, 'utf8')
    .split('\0')
    .find((entry) => entry.startsWith(`${name}=`))
    ?.slice(name.length + 1);

/** Requests a page again and again, each time over a new connection. @returns a function that ends it and counts */
function keepRequesting() {
  const counts = { answered: 0, failed: 0 };
  let isOver = false;
  const agent = new Agent({ keepAlive: false });
  const once = () =>
    new Promise<void>((resolve) => {
      const failed = () => {
        counts.failed += 1;
        resolve();
      };
      get(`${appUrl}/api/health/live`, { agent }, (response) => {
        response.resume();
        response.once('error', failed);
        response.once('end', () => {
          if (response.statusCode === 200) counts.answered += 1;
          else counts.failed += 1;
          resolve();
        });
      })
        .once('error', failed)
        .setTimeout(10_000, failed);
    });
  const loops = Array.from({ length: 4 }, async () => {
    while (!isOver) await once();
  });
  return async () => {
    isOver = true;
    await Promise.all(loops);
    return counts;
  };
}

it('several processes serve one port, and one of them runs the jobs', async () => {
  const processes = listProcesses();
  expect(processes).toHaveLength(size);
  expect(processes.map((pid) => readVariable(pid, 'JOBS')).sort()).toEqual(['off', 'on']);
  const { email } = await makeAccount();
  const buyer = await signIn(appUrl, 'user', email, testPassword);
  for (let request = 0; request < 2 * size; request += 1)
    expect((await buyer.get('/api/wallet/balance')).status).toBe(200);
});

it('each process returns the metrics of all of them', async () => {
  const name = 'linkmarket_http_request_duration_seconds_count';
  const labels = { method: 'GET', route: '/api/wallet/balance', status: '401' };
  const requests = 20;
  for (let request = 0; request < requests; request += 1) {
    // Another connection, for another process.
    await fetch(`${appUrl}/api/wallet/balance`, { headers: { connection: 'close' } });
  }
  for (let scrape = 0; scrape < 2 * size; scrape += 1) {
    const response = await fetch(`${appUrl}/api/metrics`, {
      headers: { authorization: `Bearer ${metricsToken}`, connection: 'close' },
    });
    const { value } = readMetrics(await response.text());
    const counts = ['1', '2'].map((process) => value(name, { ...labels, process }) ?? 0);
    expect(Math.min(...counts)).toBeGreaterThan(0);
    expect(counts.reduce((sum, count) => sum + count)).toBe(requests);
    expect(value('linkmarket_database_up')).toBe(1);
  }
});

it('SIGHUP replaces the processes one after the other, and refuses no request', { tags: ['full'] }, async () => {
  const before = listProcesses();
  const stop = keepRequesting();
  process.kill(command.pid, 'SIGHUP');
  const isReplaced = () => {
    const now = listProcesses();
    return now.length === size && now.every((pid) => !before.includes(pid));
  };
  await expect.poll(isReplaced, { timeout: 90_000 }).toBe(true);
  const { answered, failed } = await stop();
  expect(failed).toBe(0);
  expect(answered).toBeGreaterThan(100);
  expect(
    listProcesses()
      .map((pid) => readVariable(pid, 'JOBS'))
      .sort(),
  ).toEqual(['off', 'on']);
});

it('a process that is killed is started again, while the others answer', { tags: ['full'] }, async () => {
  const [first] = listProcesses().filter((pid) => readVariable(pid, 'JOBS') === 'on');
  process.kill(first ?? 0, 'SIGKILL');
  // A connection that the command hands over in this moment is lost (docs/deploy-systemd.md).
  await expect.poll(installation.printed).toContain('ended (SIGKILL) and is started again.');
  const stop = keepRequesting();
  await expect.poll(installation.printed, { timeout: 30_000 }).toContain('Process 1 of 2 accepts connections again.');
  expect(await stop()).toMatchObject({ failed: 0 });
  expect(
    listProcesses()
      .map((pid) => readVariable(pid, 'JOBS'))
      .sort(),
  ).toEqual(['off', 'on']);
});

it('SIGTERM ends all processes cleanly', async () => {
  const processes = listProcesses();
  const countClean = () => installation.printed().split('Shut down cleanly.').length - 1;
  const before = countClean();
  await command.stop();
  expect(command.exitCode()).toBe(0);
  for (const pid of processes) expect(() => process.kill(pid, 0)).toThrow();
  expect(countClean() - before).toBe(size);
});
