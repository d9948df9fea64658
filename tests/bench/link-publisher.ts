import { openNameServer } from '@/sandbox/publisher/name-server';
import { publisherPort } from '@/sandbox/publisher/port';
import { Publisher } from '@/sandbox/publisher/publisher';
import { openPorts } from '@/sandbox/server';
import { openState } from '@/sandbox/state';

/** Starts the sandbox's publisher alone, without a file for its state. */
export async function startPublisher() {
  const [server] = await openPorts(0, 1);
  if (!server) throw new Error('The publisher has no port.');
  const nameServer = await openNameServer(server.port);
  const publisher = new Publisher(await openState(undefined));
  server.serve(publisherPort(publisher, { controls: [], respond: async () => null }));
  nameServer.serve((name) => publisher.records(name));
  return {
    origin: server.origin,
    port: server.port,
    /** Publishes pages with the same content. */
    publish: async (urls: readonly string[], html: string) => {
      const publishedAt = new Date().toISOString();
      const page = { html, status: 200, headers: {}, redirect: null, delayMs: 0, change: null, publishedAt };
      for (const url of urls) await publisher.publish({ ...page, url });
    },
    /** The most pages of one host that were requested in one hour, without robots.txt; of the newest 10,000 requests. */
    countMostRequests: () => {
      const counts = new Map<string, number>();
      for (const { host, url, at } of publisher.requests()) {
        if (new URL(url).pathname === '/robots.txt') continue;
        const hour = `${host} ${at.slice(0, 13)}`;
        counts.set(hour, (counts.get(hour) ?? 0) + 1);
      }
      return Math.max(0, ...counts.values());
    },
    close: async () => {
      await Promise.all([server.close(), nameServer.close()]);
    },
  };
}
