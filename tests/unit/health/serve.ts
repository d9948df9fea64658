import { createServer } from 'node:http';
import { beginWork } from '@/lib/platform/lifecycle/process-state';
import { registerGracefulShutdown } from '@/lib/platform/lifecycle/start-server-process';

/**
 * The child process of the graceful shutdown test: answers every request; one to /behind when it receives a message,
 * and with work that continues after the response until shortly after the last connection is closed.
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
