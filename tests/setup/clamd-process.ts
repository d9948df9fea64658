import { createServer } from 'node:net';

// Simulates ClamAV's daemon in a separate process: it implements INSTREAM as described in clamd(8), and detects one
// virus. Standard input sets its behaviour.
const virus = 'LINKMARKET-TEST-VIRUS';
const maxBytes = 30_000_000;
let mood = 'well';
process.stdin.on('data', (text) => {
  mood = String(text).trim();
  process.stdout.write(`${mood}\n`);
});

const server = createServer((socket) => {
  let received = Buffer.alloc(0);
  socket.on('error', () => socket.destroy());
  socket.on('data', (bytes) => {
    received = Buffer.concat([received, bytes]);
    const answer = mood === 'silent' ? null : mood === 'babbling' ? 'x'.repeat(100_000) : answerTo(received);
    if (mood === 'gone') socket.destroy();
    else if (answer !== null) socket.end(answer);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${typeof address === 'object' && address ? address.port : 0}\n`);
});

/** Null until the file is complete. */
function answerTo(sent: Buffer): string | null {
  const command = Buffer.from('zINSTREAM\0');
  if (sent.length < command.length) return null;
  if (!sent.subarray(0, command.length).equals(command)) return 'UNKNOWN COMMAND\0';
  if (sent.length > maxBytes) return 'INSTREAM size limit exceeded. ERROR\0';
  const file: Buffer[] = [];
  for (let place = command.length; place + 4 <= sent.length; ) {
    const length = sent.readUInt32BE(place);
    if (length === 0) return Buffer.concat(file).includes(virus) ? 'stream: Test-Virus FOUND\0' : 'stream: OK\0';
    file.push(sent.subarray(place + 4, place + 4 + length));
    place += 4 + length;
  }
  return null;
}
