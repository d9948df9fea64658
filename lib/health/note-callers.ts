import { subscribe } from 'node:diagnostics_channel';
import { IncomingMessage } from 'node:http';
import { noteCaller } from '../http/client-ip';
import { addressForLog } from '../log/address-for-log';
import { log } from '../log/log';

/** Enough to name a proxy among scanners; bounded, as any caller can cause a line. */
const maxLogged = 50;

/**
 * Decides for every request that reaches this process whose it is, from the connection it arrives by: Next.js shows its
 * handlers no connection. Forwarding headers from an address outside TRUSTED_PROXIES are removed. The first of each of
 * some addresses are logged, because one may be a proxy that the setting lacks.
 */
export function noteCallers(): void {
  const logged = new Set<string>();
  subscribe('http.server.request.start', (message) => {
    const { request } = Object(message);
    if (!(request instanceof IncomingMessage)) return;
    const peer = request.socket.remoteAddress ?? '';
    const isRemoved = noteCaller(request.headers, peer);
    if (!isRemoved || logged.has(peer) || logged.size === maxLogged) return;
    logged.add(peer);
    log().warn(
      { ip: addressForLog(request) },
      'Forwarding headers were ignored: the caller is not in TRUSTED_PROXIES. If it is a proxy of yours, add its address.',
    );
  });
}
