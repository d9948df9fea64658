import { runCommand } from './process/lifetime';
import { runApp } from './services/run-app';

/** `npm run demo`: runs the built app and its services on this machine, with demo data. */
runCommand((lifetime) => runApp(lifetime, 'start'));
