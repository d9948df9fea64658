import { createServer } from 'node:http';
import { endInOrder } from '@/lib/health/end-in-order';

/** Run by the test of an orderly end as a process that can be told to end: answers every request. */
endInOrder(() => undefined);
const server = createServer((_request, response) => response.end('answered'));
server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
