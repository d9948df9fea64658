// Preloaded into the app (`node --import`): appends a line to CONNECTION_LOG for each TCP connection that the process
// opens, each datagram that it sends and each name that it resolves.

import dgram from 'node:dgram';
import dns from 'node:dns';
import { appendFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { Socket } from 'node:net';

const record = (line) => appendFileSync(process.env.CONNECTION_LOG, `${line}\n`);

const connect = Socket.prototype.connect;
Socket.prototype.connect = function (...given) {
  this.on('connectionAttempt', (ip, port) => record(`tcp ${ip}:${port}`));
  return connect.apply(this, given);
};

const send = dgram.Socket.prototype.send;
dgram.Socket.prototype.send = function (...given) {
  record(
    `udp ${given
      .slice(1)
      .filter((value) => typeof value !== 'function')
      .join(' ')}`,
  );
  return send.apply(this, given);
};

/** Records every query of a resolver, and `lookup`, which asks the operating system. */
function recordNames(target, names) {
  for (const name of names) {
    const query = target[name];
    target[name] = function (host, ...others) {
      record(`dns ${host}`);
      return query.call(this, host, ...others);
    };
  }
}
/** The names of the functions that ask a name server. */
const queriesOf = (target) => Object.getOwnPropertyNames(target).filter((name) => /^(resolve|reverse)/.test(name));
for (const target of [dns, dns.promises]) {
  recordNames(target, ['lookup', ...queriesOf(target)]);
  recordNames(target.Resolver.prototype, queriesOf(target.Resolver.prototype));
}
syncBuiltinESMExports();
