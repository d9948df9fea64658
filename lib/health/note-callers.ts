import { subscribe } from 'node:diagnostics_channel';
import { IncomingMessage } from 'node:http';
import { noteCaller } from '../http/client-ip';
import { addressForLog } from '../log/address-for-log';
import { log } from '../log/log';

/**
 * Decides for every request that reaches this process whose it is, from the connection it arrives by: Next.js shows its
 * handlers no connection. Forwarding headers from an address outside TRUSTED_PROXIES are removed. The first ones are
 * logged, because they may come from a proxy that the setting lacks.
 */
export function noteCallers(): void {
  let isLogged = false;
  subscribe('http.server.request.start', (message) => {
    const { request } = Object(message);
    if (!(request instanceof IncomingMessage)) return;
    const isRemoved = noteCaller(request.headers, request.socket.remoteAddress);
    if (!isRemoved || isLogged) return;
    isLogged = true;
    log().warn(
      { ip: addressForLog(request) },
      'Forwarding headers were ignored: the caller is not in TRUSTED_PROXIES. If it is a proxy of yours, add its address.',
    );
  });
}
