import { createServer } from 'node:http';
import { registerGracefulShutdown } from '@/lib/platform/lifecycle/graceful-shutdown';
import { beginWork } from '@/lib/platform/lifecycle/process-state';

/**
 * Run by the test of an orderly end as a process that can be told to end: answers every request, one of /behind when it
 * gets a message, and with work that goes on behind the answer until a moment after the last connection is closed.
 */
registerGracefulShutdown(() => undefined);
const server = createServer((request, response) => {
  if (request.url !== '/behind') return response.end('answered');
  process.send?.('asked');
  process.once('message', () => {
    const done = beginWork();
    server.once('close', () =>
      setTimeout(() => {
        process.stdout.write('The work behind the answer is done.\n');
        done();
      }, 100),
    );
    response.end('answered');
  });
});
server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
