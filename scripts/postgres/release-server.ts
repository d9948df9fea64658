import { z } from 'zod';
import { lingerServer, releaseServer } from './start';

/** Run by the supervisor after the process that used the server has ended: releases the server for it, at once or later. */
const job = z
  .object({
    lock: z.string(),
    users: z.string(),
    user: z.string(),
    lingerMs: z.number(),
    server: z.object({
      cluster: z.string(),
      binaries: z.string(),
      account: z.object({ uid: z.number(), gid: z.number() }).optional(),
    }),
  })
  .parse(JSON.parse(process.argv[2] ?? ''));

const server = { ...job.server, account: job.server.account };
const released =
  job.lingerMs > 0 ? lingerServer(job, server, job.user, job.lingerMs) : releaseServer(job, server, job.user);
released.then(
  () => process.exit(0),
  () => process.exit(1),
);
