import { z } from 'zod';
import { leave } from './start';

/** Run by the supervisor when the process that used the server is gone: gives the server up in its name. */
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

leave(job, { ...job.server, account: job.server.account }, job.user).then(
  () => process.exit(0),
  () => process.exit(1),
);
