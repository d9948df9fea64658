import { closeDb } from '@/db/client';
import { deliverInvoices } from '@/lib/invoices/delivery/deliver';

// An instance that sends the documents once for each message, in a process that a test can kill at any point. It ends with
// its channel to the test. A failure ends the process with an exit code.
process.on('message', () => void deliverInvoices().then((counts) => process.send?.(counts)));
process.once('disconnect', () => void closeDb());
