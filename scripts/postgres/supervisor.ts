import { z } from 'zod';
import { leave } from './start';

/** Started by `startPostgres`: waits until its parent is gone, then gives the server up in its name. */
const job = z
  .object({
    lock: z.string(),
    users: z.string(),
    user: z.string(),
    server: z.object({
      cluster: z.string(),
      binaries: z.string(),
      account: z.object({ uid: z.number(), gid: z.number() }).optional(),
    }),
  })
  .parse(JSON.parse(process.argv[2] ?? ''));

const gone = () => {
  leave(job, { ...job.server, account: job.server.account }, job.user).then(
    () => process.exit(0),
    () => process.exit(1),
  );
};

process.once('disconnect', gone);
// Killed between the start of this process and the line above: the channel is closed already.
if (!process.connected) gone();
