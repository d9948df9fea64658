import { closeDb } from '@/db/client';
import { runLinkChecks } from '@/lib/orders/link-checks/run';

// An instance that runs the job of link checks once for each message, in a process that a test can kill at any point. It
// ends with its channel to the test. A failure ends the process with an exit code.
process.on('message', () => void runLinkChecks().then((counts) => process.send?.(counts)));
process.once('disconnect', () => void closeDb());
