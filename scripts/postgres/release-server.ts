import { z } from 'zod';
import { releaseServer } from './start';

/** Run by the supervisor after the process that used the server has ended: releases the server for it. */
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

releaseServer(job, { ...job.server, account: job.server.account }, job.user).then(
  () => process.exit(0),
  () => process.exit(1),
);
