import { closeDb } from '@/db/client';
import { deliverWebhooks } from '@/lib/developers/webhooks/deliver';

// An instance that runs the job of webhooks once for each message, in a process that a test can kill at any point. It ends
// with its channel to the test. A failure ends the process with an exit code.
process.on('message', () => void deliverWebhooks().then((counts) => process.send?.(counts)));
process.once('disconnect', () => void closeDb());
